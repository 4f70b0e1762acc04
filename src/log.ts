import { pino } from "pino";
import type { Log } from "./effects.js";

/**
 * One line an event, to standard error: locations and counts, never rows (I018). As text
 * `<time> <level> <event> name=value …`, as JSON the same fields with their types.
 */
export function eventLog(level: string, format: "text" | "json"): Log {
  const to = pino.destination({ fd: 2, sync: true });
  const out = format === "json" ? to : { write: (line: string) => to.write(asText(line)) };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
  return { info: (event, at) => logger.info(at ?? {}, event) };
}

function asText(line: string): string {
  const { level, time, msg, ...at } = JSON.parse(line) as Record<string, string | number>;
  const fields = Object.entries(at).map(([name, value]) => ` ${name}=${quoted(value)}`);
  return `${time} ${pino.levels.labels[Number(level)]} ${msg}${fields.join("")}\n`;
}

function quoted(value: string | number): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
