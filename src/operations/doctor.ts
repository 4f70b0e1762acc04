import { z } from "zod";
import { DoctorAnswer } from "../model/capabilities.js";
import { EXIT } from "../model/errors.js";
import { operation } from "./operation.js";

export const doctorOperation = operation({
  name: "doctor",
  kind: "look",
  says: "Asks the configured store with real requests what it keeps to, and what runs will do.",
  input: z.strictObject({}),
  output: DoctorAnswer,
  positional: [],
  run: async (_, desk) => desk.doctor(),
  exit: (output) => (output.fit ? EXIT.OK : EXIT.UNKNOWN),
});
