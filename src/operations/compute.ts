import type { StepDesk } from "../agents/agent.js";
import { ComputeAnswer, ComputeInput, FinishAnswer, FinishInput } from "../model/compute.js";
import { TieoutError } from "../model/errors.js";
import { type Desk, operation } from "./operation.js";

export const computeOperation = operation({
  name: "compute",
  kind: "compute",
  says:
    "Evaluates one SELECT over the run's relations " +
    "into a file; answers with counts and five rows.",
  input: ComputeInput,
  output: ComputeAnswer,
  positional: ["sql"],
  run: (input, desk) => stepOf(desk).compute(input),
});

export const finishOperation = operation({
  name: "finish",
  kind: "compute",
  says: "Checks the last draft of the step's file and, when no finding is an error, ends the step.",
  input: FinishInput,
  output: FinishAnswer,
  positional: [],
  run: (_, desk) => stepOf(desk).finish(),
});

function stepOf(desk: Pick<Desk, "step">): StepDesk {
  if (desk.step !== null) return desk.step;
  throw new TieoutError("USAGE", {
    subject: "compute",
    cause: "no step of a live run is open here",
    remedy: "use it within a run: the library's runJob with an agent opens the step",
  });
}
