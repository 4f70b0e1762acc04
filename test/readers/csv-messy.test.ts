import fc from "fast-check";
import { expect, test } from "vitest";
import { desk } from "./reading.js";

const RUNS = 40;
const { read } = await desk();

/** Bytes that matter to a CSV reader, many times more often than they come in life. */
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("a", "1.00", "-2", "é", "x y", "0", "") },
  { weight: 8, arbitrary: fc.constant(",") },
  { weight: 6, arbitrary: fc.constant("\n") },
  { weight: 3, arbitrary: fc.constant('"') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('""', "\r\n", "\r", " ", '"a"', '"a,b"', '"a\nb"', '"a""b"'),
  },
  { weight: 1, arbitrary: fc.constantFrom("\0", "\t", ";", "#", "\\", "'", "\x1a") },
);
const bytes = fc
  .tuple(fc.array(piece, { maxLength: 60 }), fc.constantFrom("", "\xff", "\xc3"))
  .map(([pieces, bad]) => {
    const text = Buffer.from(pieces.join(""));
    const at = Math.floor(text.length / 2);
    return Buffer.concat([text.subarray(0, at), Buffer.from(bad, "latin1"), text.subarray(at)]);
  });
const spec = fc.record({
  columns: fc.constantFrom(
    { id: "text" },
    { id: "text", amount: "decimal(18,2)" },
    { id: "text", amount: "decimal(18,2)", memo: { type: "text", blank: "reject" } },
  ),
  header: fc.boolean(),
  skip: fc.constantFrom(
    undefined,
    { last: 1 },
    { starting_with: ["a"] },
    { last: 2, starting_with: ["1"] },
  ),
});

test("every record of any bytes is a row, a reject or a skip, on a line of its own", async () => {
  await fc.assert(
    fc.asyncProperty(bytes, spec, async (body, { columns, header, skip }) => {
      const names = Buffer.from(header ? `${Object.keys(columns).join(",")}\n` : "");
      const seen = await read(Buffer.concat([names, body]), {
        ...{ columns, csv: { header }, allow_empty: true },
        ...(skip ? { skip } : {}),
      });
      expect(seen.rows + seen.rejected + seen.skipped).toBe(seen.records);
      expect(seen.table).toHaveLength(seen.rows);
      expect(seen.refused).toHaveLength(seen.rejected);
      const lines = [...seen.table.map((r) => r.at(-1)), ...seen.refused.map((r) => r[1])];
      expect(new Set(lines).size).toBe(seen.rows + seen.rejected);
    }),
    { numRuns: RUNS },
  );
});
