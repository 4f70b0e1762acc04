import type { Effects } from "../effects.js";
import { figureOf, figureQuestion } from "../model/figure.js";
import { RelationName } from "../model/ids.js";
import { type FigureSpec, type Job, orderOf } from "../model/job.js";
import type { Figure } from "../model/manifest.js";
import type { Relation } from "../model/relation.js";

/** A declared figure, computed from an artefact's relation; recheck computes it again (I012). */
export async function computeFigure(
  name: string,
  spec: FigureSpec,
  artefact: Relation,
  job: Job,
  fx: Pick<Effects, "engine">,
): Promise<Figure> {
  const { columns } = artefact;
  const order_by = (job.artefacts[spec.artefact]?.order_by ?? []).map(orderOf);
  const subject = { relation: RelationName.parse(artefact.name), columns, order_by };
  const { sql, limit } = figureQuestion(spec, subject, fx.engine.dialect);
  const table = await fx.engine.ask({ sql, params: [], relations: [artefact], limit });
  return figureOf(name, spec, columns, table.rows);
}
