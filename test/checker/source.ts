import { INVARIANTS, type InvariantId } from "../../src/model/invariants.js";
import { bans, nodeModules } from "../tidy/rules.js";
import { sourceOf } from "../tidy/source.js";
import type { Example } from "./example.js";

/** Source text that breaks an invariant whatever it is run on: the tidy rule's answer names which. */
export function sourceBreaks(example: Example): InvariantId[] {
  const sources = [...example].map(([name, text]) => sourceOf(name, text));
  const said = [...bans(sources), ...nodeModules(sources)].map(({ says }) => says).join("\n");
  return INVARIANTS.map(({ id }) => id).filter((id) => said.includes(id));
}
