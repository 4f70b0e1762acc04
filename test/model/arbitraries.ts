import fc from "fast-check";
import { ArtefactName, AsOf, JobName, RelationName, RunId, runId } from "../../src/model/ids.js";

/** Names as the model accepts them, for laws over all of them. */
export const jobNames = fc
  .stringMatching(/^[a-z][a-z0-9-]{0,39}$/)
  .filter((s) => JobName.safeParse(s).success)
  .map((s) => JobName.parse(s));

export const asOfs = fc
  .date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .map((d) => AsOf.parse(d.toISOString().slice(0, 10)));

export const relationNames = fc
  .stringMatching(/^[a-z][a-z0-9_]{0,20}$/)
  .map((s) => RelationName.parse(s));

export const artefactNames = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9][a-z0-9_.-]{0,20}$/),
    fc.constantFrom(".csv", ".parquet", ".xlsx"),
  )
  .map(([stem, ending]) => stem + ending)
  .filter((s) => ArtefactName.safeParse(s).success)
  .map((s) => ArtefactName.parse(s));

export const runIds = fc
  .tuple(jobNames, asOfs, fc.integer({ min: 1, max: 20 }))
  .map(([job, as_of, revision]) => runId(job, as_of, revision))
  .map((id) => RunId.parse(id));
