import { expect, test } from "vitest";
import { readJournal } from "../../src/model/journal.js";
import { RunEvent } from "../../src/model/lineage.js";
import { Manifest } from "../../src/model/manifest.js";
import { lineageEvents, type Told } from "../../src/reports/lineage.js";
import { wholeStore } from "../checker/whole.js";

const NAMING = { namespace: "tieout", producer: "pkg:npm/tieout@0.1.0" };
const STORE = wholeStore();

function told(as_of: string): Told {
  const at = `refunds/refunds-${as_of}/a1/`;
  const text = (path: string): string => STORE.get(`store/${at}${path}`) ?? "";
  const manifest = Manifest.parse(JSON.parse(text("manifest.json")));
  const { sha256, size_bytes } = { sha256: manifest.job_sha256, size_bytes: 1 };
  return {
    manifest,
    manifest_doc: { key: `${at}manifest.json`, version: "v1", sha256, size_bytes },
    journal: readJournal(text("records/journal.jsonl")).lines,
    sql: new Map([["discrepancies", "SELECT 1"]]),
  };
}

const earlier = lineageEvents(told("2026-08-03"), NAMING);
const later = lineageEvents(told("2026-08-10"), NAMING);
const of = (events: readonly RunEvent[], type: string, job: string): RunEvent =>
  RunEvent.parse(events.find((e) => e.eventType === type && e.job.name === job));

test("a run and each of its steps start once and complete once, in the order of time", () => {
  const told = later.map((e) => `${e.eventType} ${e.job.name}`);
  const step = "refunds.discrepancies";
  expect(told).toEqual(["START refunds", `START ${step}`, `COMPLETE ${step}`, "COMPLETE refunds"]);
  const times = later.map((e) => e.eventTime);
  expect(times).toEqual([...times].sort());
});

test("a run is told alike each time, and another run or namespace has other ids", () => {
  expect(lineageEvents(told("2026-08-10"), NAMING)).toEqual(later);
  const ids = (events: readonly RunEvent[]) => events.map((e) => e.run.runId);
  const elsewhere = lineageEvents(told("2026-08-10"), { ...NAMING, namespace: "elsewhere" });
  expect(new Set([...ids(earlier), ...ids(later), ...ids(elsewhere)]).size).toBe(6);
});

test("tonight's previous is last night's output: the same dataset and version", () => {
  const [output] = of(earlier, "COMPLETE", "refunds").outputs;
  const carried = of(later, "START", "refunds").inputs.find((d) => d.name === output?.name);
  expect(carried?.namespace).toBe(output?.namespace);
  expect(carried?.facets.version).toEqual(output?.facets.version);
});

test("a step names its run as its parent, its SQL, and what it reads and makes", () => {
  const step = of(later, "COMPLETE", "refunds.discrepancies");
  expect(step.run.facets.parent).toMatchObject({
    run: { runId: of(later, "START", "refunds").run.runId },
  });
  expect(step.job.facets.sql).toMatchObject({ query: "SELECT 1" });
  expect(step.inputs.map((d) => d.name)).toEqual(["refunds.refunds"]);
  expect(step.outputs.map((d) => d.outputFacets.outputStatistics)).toMatchObject([{ rowCount: 2 }]);
});

test("every facet says who made it and by which schema", () => {
  const facets = later.flatMap((e) => [
    ...Object.values(e.run.facets),
    ...Object.values(e.job.facets),
    ...[...e.inputs, ...e.outputs].flatMap((d) => Object.values(d.facets)),
    ...e.outputs.flatMap((d) => Object.values(d.outputFacets)),
  ]);
  expect(facets.length).toBeGreaterThan(10);
  for (const facet of facets) {
    expect(facet._producer).toBe(NAMING.producer);
    expect(() => new URL(facet._schemaURL)).not.toThrow();
  }
});

test("no cell of a figure or of a row is in an event (I018)", () => {
  expect(JSON.stringify(later)).not.toMatch(/624\.22|1276\.86|000468/);
});
