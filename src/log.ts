import { pino } from "pino";
import type { Log } from "./effects.js";

/** One JSON line an event, to standard error: locations and counts, never rows (I018). */
export function jsonLog(level: string): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
  return { info: (event, at) => logger.info(at ?? {}, event) };
}
