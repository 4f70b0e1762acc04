import { z } from "zod";
import { capsOf } from "../../src/model/caps.js";
import type { InvariantId } from "../../src/model/invariants.js";
import { ReadAnswer } from "../../src/model/read.js";
import { checkHonesty } from "../../src/queries/honesty.js";
import { type Example, textIn } from "./example.js";

/** What was asked, what was recorded when the relation was sealed, and what came back. */
const Exchange = z.strictObject({
  asked: z.strictObject({
    n: z.int().optional(),
    next: z.string().optional(),
    columns: z.int().nullable(),
    rows_recorded: z.int(),
  }),
  answer: ReadAnswer,
});

export function answerBreaks(example: Example): InvariantId[] {
  const { asked, answer } = Exchange.parse(JSON.parse(textIn(example, "answer.json")));
  return checkHonesty(answer, { ...asked, caps: capsOf() }).length > 0 ? ["I006"] : [];
}
