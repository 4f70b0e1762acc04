import { readFile, stat, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/model/canonical.js";
import type { Path } from "../src/model/ids.js";
import type { WriteRequest, Writer } from "../src/writers/writer.js";
import { type Laboratory, laboratory, type Rows } from "./checks/laboratory.js";

/** Values that files for people have lost or changed somewhere. */
export const NASTY_COLUMNS = {
  id: "text",
  amount: "money(USD)",
  wide: "decimal(28,10)",
  n: "integer",
  day: "date",
  at: "timestamp",
  ok: "boolean",
} as const;

export const NASTY_TEXTS: readonly string[] = [
  "=1+1",
  "+cmd|' /C calc'!A0",
  "-2+3",
  "@SUM(1)",
  "1234567890123456",
  "00123",
  "1.10",
  "1E5",
  "",
  " a b ",
  "line\nbreak",
  "carriage\r\nreturn",
  "tab\tbed",
  "\u0000\u0007\u001f\u007f",
  "_x0041_ and _x000D_",
  "_x005F_x0041_",
  '&lt;b&gt; &amp; <i>"it\'s"</i>',
  "]]>",
  "emoji 😀👩‍👩‍👧 é",
  "\u202eright to left",
  "\ufffe\uffff",
  "2026-08-10",
  "TRUE",
  "#N/A",
];

const row = (...cells: (string | null)[]): (string | null)[] =>
  [...cells, ...Array<null>(7).fill(null)].slice(0, 7);

export const NASTY: Rows = [
  ...NASTY_TEXTS.map((text) => row(text)),
  row(null, "-0.07", "0.0000000001", "0", "1900-01-01", "1899-12-31T23:59:59Z", "true"),
  row(
    null,
    "9999999999999.99",
    "99999.0123456789",
    "999999999999999",
    "1900-03-01",
    "1900-03-01T00:00:00Z",
    "false",
  ),
  row(
    null,
    "9999999999999999.99",
    "123456789012345678.0123456789",
    "1234567890123456",
    "1900-02-28",
    "2026-08-10T12:34:56Z",
  ),
  row(
    null,
    "-9999999999999999.99",
    "-0.0000001000",
    "-9223372036854775808",
    "9999-12-31",
    "2026-08-10T12:34:56.000001Z",
  ),
  row(null, "0.00", "0.1000000000", "9007199254740993", "0001-01-01", "9999-12-31T23:59:59Z"),
  row(null, "0.10", "1234567.8901234567", "-5", "2024-02-29", "2026-03-29T02:30:00Z"),
  row(),
];

/** What every writer owes; `few` makes one whose file has room for that many rows. */
export function writerContract(
  name: string,
  ending: string,
  make: () => Writer,
  few: (rows: number) => Writer,
): void {
  describe(`the ${name} writer`, () => {
    let lab: Laboratory;
    let files = 0;
    beforeAll(async () => {
      lab = await laboratory();
    });
    afterAll(() => lab.close());

    const request = async (rows: Rows, columns: Record<string, string> = NASTY_COLUMNS) =>
      ({
        twin: await lab.relation("t", columns, rows),
        title: "Breaks",
        to: lab.path(`${files++}.${ending}`),
      }) satisfies WriteRequest;
    const written = async (rows: Rows): Promise<WriteRequest> => {
      const made = await request(rows);
      await make().write(made, lab.engine);
      return made;
    };
    const absent = (to: Path): Promise<boolean> =>
      stat(to).then(
        () => false,
        () => true,
      );

    it("writes every value so that it is read back equal", async () => {
      const made = await request(NASTY);
      expect(await make().write(made, lab.engine)).toEqual({ rows: NASTY.length, overflow: 0 });
      await make().prove(made, lab.engine);
    });

    it("writes a twin without rows, and one of more rows than a batch", async () => {
      await make().prove(await written([]), lab.engine);
      const many = Array.from({ length: 5000 }, (_, i) => row(`id ${i}`, `${i}.05`));
      await make().prove(await written(many), lab.engine);
    });

    it("gives the same bytes for the same twin", async () => {
      const [a, b] = [await written(NASTY), await written(NASTY)];
      expect(sha256Of(await readFile(a.to))).toBe(sha256Of(await readFile(b.to)));
    });

    it("does not prove a file of which one bit was flipped, wherever it is", async () => {
      const made = await written(NASTY);
      const bytes = await readFile(made.to);
      const step = Math.max(1, Math.floor(bytes.byteLength / 60));
      for (let at = 0; at < bytes.byteLength; at += step) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
        const to = lab.path(`${files++}.${ending}`);
        await writeFile(to, flipped);
        await expect(make().prove({ ...made, to }, lab.engine), `byte ${at}`).rejects.toMatchObject(
          {
            code: "COUNT_MISMATCH",
          },
        );
      }
    });

    it("does not prove a file that was cut, or lengthened, or is not there", async () => {
      const made = await written(NASTY);
      const bytes = await readFile(made.to);
      const others = [
        bytes.subarray(0, bytes.byteLength / 2),
        bytes.subarray(0, 10),
        bytes.subarray(1),
      ];
      for (const other of [...others, Buffer.concat([bytes, Buffer.from([0])]), null]) {
        const to = lab.path(`${files++}.${ending}`);
        if (other !== null) await writeFile(to, other);
        await expect(make().prove({ ...made, to }, lab.engine)).rejects.toMatchObject({
          code: "COUNT_MISMATCH",
        });
      }
    });

    it("does not prove the file of a twin with another value, null, row or order", async () => {
      const made = await written([row("a", "1.00"), row("b", "2.00")]);
      const others: Rows[] = [
        [row("a", "1.00"), row("b", "2.01")],
        [row("a", "1.00"), row("b", null)],
        [row("a", "1.00"), row("", "2.00")],
        [row("a", "1.00")],
        [row("a", "1.00"), row("b", "2.00"), row("c", "3.00")],
        [row("b", "2.00"), row("a", "1.00")],
      ];
      for (const rows of others) {
        const twin = await lab.relation("t", NASTY_COLUMNS, rows);
        await expect(make().prove({ ...made, twin }, lab.engine)).rejects.toMatchObject({
          code: "COUNT_MISMATCH",
        });
      }
    });

    it("names no value in what it throws", async () => {
      const made = await written([row("secret", "1.00")]);
      const twin = await lab.relation("t", NASTY_COLUMNS, [row("sekret", "1.00")]);
      const error = await make()
        .prove({ ...made, twin }, lab.engine)
        .catch((e: unknown) => e);
      expect(JSON.stringify(error)).not.toMatch(/secret|sekret/);
      expect(JSON.stringify(error)).not.toContain(made.to);
    });

    it("counts the rows that a file has no room for", async () => {
      const made = await request([row("a"), row("b"), row("c")]);
      expect(await few(2).write(made, lab.engine)).toEqual({ rows: 3, overflow: 1 });
      await few(2).prove(made, lab.engine);
      await expect(few(3).prove(made, lab.engine)).rejects.toMatchObject({
        code: "COUNT_MISMATCH",
      });
    });

    it("leaves no file when the twin has other rows than were recorded", async () => {
      const made = await request([row("a"), row("b")]);
      for (const rows of [1, 3]) {
        const twin = { ...made.twin, rows };
        await expect(make().write({ ...made, twin }, lab.engine)).rejects.toMatchObject({
          code: "COUNT_MISMATCH",
        });
        expect(await absent(made.to)).toBe(true);
      }
    });

    it("never writes over a file", async () => {
      const made = await request([row("a")]);
      await writeFile(made.to, "mine");
      await expect(make().write(made, lab.engine)).rejects.toThrow();
      expect(await readFile(made.to, "utf8")).toBe("mine");
    });
  });
}
