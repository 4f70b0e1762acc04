import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import { isTieout } from "../../src/model/errors.js";
import { RelationRef } from "../../src/model/ids.js";
import type { InvariantId } from "../../src/model/invariants.js";
import { type Example, textIn } from "./example.js";

const RELATIONS = ["refunds", "ledger"].map((name) => RelationRef.parse(name));
const REFUSALS = ["NOT_A_SELECT", "NOT_ONE_STATEMENT", "REFUSED", "UNKNOWN_RELATION"] as const;

/** SQL that reaches past the relations `refunds` and `ledger`, or writes: the gate must refuse it. */
export async function queryBreaks(example: Example): Promise<InvariantId[]> {
  const temp = mkdtempSync(`${tmpdir()}/tieout-gate-`);
  const engine = await duckdbInline({ temp });
  try {
    await engine.vet(textIn(example, "query.sql"), RELATIONS);
    return [];
  } catch (e) {
    if (REFUSALS.some((code) => isTieout(e, code))) return ["I016"];
    throw e;
  } finally {
    await engine.close();
    rmSync(temp, { recursive: true });
  }
}
