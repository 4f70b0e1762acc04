import { duckdbDialect } from "../../src/dialects/duckdb.js";
import type { Engine } from "../../src/engines/engine.js";
import { canonicalJson, sha256Of } from "../../src/model/canonical.js";
import { isTieout, TieoutError } from "../../src/model/errors.js";
import type { Relation } from "../../src/model/relation.js";
import type { Bytes } from "./plain.js";

type Answers = Record<string, any>;

async function relKey(relations: readonly Relation[], bytes: Bytes) {
  return Promise.all(
    relations.map(async (r) => [
      r.name,
      r.columns,
      r.rows,
      await Promise.all(
        r.files.map(async (f) => [
          f.format,
          f.source ?? null,
          f.first_line ?? null,
          sha256Of(await bytes.read(f.path)),
        ]),
      ),
    ]),
  );
}

async function keyOf(method: string, q: any, bytes: Bytes): Promise<string> {
  const { to: _to, relations, sources: _s, ...rest } = q;
  return sha256Of(canonicalJson({ method, ...rest, relations: await relKey(relations, bytes) }));
}

export function recording(engine: Engine, bytes: Bytes) {
  const answers: Answers = {};
  const rec = (method: "evaluate" | "render" | "ask") => async (q: any) => {
    const key = await keyOf(method, q, bytes);
    const result: any = await (engine[method] as any)(q);
    const file = q.to === undefined ? null : Buffer.from(await bytes.read(q.to)).toString("base64");
    answers[key] = { result, file };
    return result;
  };
  return {
    engine: {
      ...engine,
      evaluate: rec("evaluate"),
      render: rec("render"),
      ask: rec("ask"),
    } as Engine,
    answers,
  };
}

export function recorded(answers: Answers, bytes: Bytes): Engine {
  const play = (method: string) => async (q: any) => {
    const a = answers[await keyOf(method, q, bytes)];
    if (a === undefined) throw new Error(`no recorded answer for ${method} ${q.sql}`);
    if (a.file !== null) await bytes.write(q.to, Buffer.from(a.file, "base64"));
    return a.result;
  };
  return {
    name: "duckdb",
    version: "1.5.6",
    dialect: duckdbDialect,
    vet: async () => {
      throw new Error("vet");
    },
    evaluate: play("evaluate"),
    render: play("render"),
    ask: play("ask"),
    stream: () => {
      throw new Error("stream");
    },
    close: async () => undefined,
  } as Engine;
}
