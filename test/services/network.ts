import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * What a network and a store do to a request and its answer. After those marked * the store has
 * done what was asked, and the client is not told so.
 *
 * - lost: the connection ends before the request arrives; lost answer *: after it was done
 * - reset: the connection ends amid the request's body
 * - busy: 503 SlowDown instead of being asked; busy, done *: after it was done
 * - taken: 412 instead of being asked; taken, done *: after it was done; conditional requests only
 * - error in 200 *: the answer is 200 with an error for a body; of PUT and POST
 * - hang: no answer at all; hang, done *: after it was done
 * - cut: half of the answer's body, then the end of the connection
 * - short: half of the answer's body, and a length that says so
 * - flipped: one bit of the answer's body is another, where it is an object's
 * - other checksum: the answer names the SHA-256 of other bytes
 * - tomorrow: the answer's date is a day ahead
 */
export const TROUBLES = [
  "lost",
  "lost answer",
  "reset",
  "busy",
  "busy, done",
  "taken",
  "taken, done",
  "error in 200",
  "hang",
  "hang, done",
  "cut",
  "short",
  "flipped",
  "other checksum",
  "tomorrow",
] as const;
export type NetTrouble = (typeof TROUBLES)[number];

export interface Network {
  readonly endpoint: string;
  /** From now on the n-th request from here, from 1, meets this; 0: none does. */
  readonly plan: (trouble: NetTrouble, n: number, times: "once" | "onward") => void;
  /** Requests since the last plan. */
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

/** A bad network before a store's plain HTTP endpoint. It keeps the client's Host, which is signed. */
export async function startNetwork(target: string): Promise<Network> {
  let [trouble, at, times, seen]: [NetTrouble, number, string, number] = ["lost", 0, "once", 0];
  const server = createServer((incoming, outgoing) => {
    seen++;
    const hit = at > 0 && (seen === at || (times === "onward" && seen > at));
    pass(incoming, outgoing, new URL(target), hit ? trouble : null).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 1000;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    plan: (t, n, how) => {
      [trouble, at, times, seen] = [t, n, how, 0];
    },
    requests: () => seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: URL,
  trouble: NetTrouble | null,
): Promise<void> {
  const { method = "", headers } = incoming;
  if (trouble?.startsWith("taken") && headers["if-none-match"] === undefined)
    return pass(incoming, outgoing, target, null);
  if (trouble === "error in 200" && !/^P/.test(method))
    return pass(incoming, outgoing, target, null);
  if (trouble === "lost") return void incoming.socket.destroy();
  const body = await collect(incoming);
  if (trouble === "busy") return say(outgoing, slowDown());
  if (trouble === "taken") return say(outgoing, failed(412, "PreconditionFailed"));
  if (trouble === "hang") return;
  if (trouble === "reset") {
    await ask(incoming, body.subarray(0, body.length >> 1), target, true).catch(() => undefined);
    return void incoming.socket.destroy();
  }
  const answer = await ask(incoming, body, target, false);
  if (trouble === "hang, done") return;
  if (trouble === "lost answer") return void incoming.socket.destroy();
  if (trouble === "busy, done") return say(outgoing, slowDown());
  if (trouble === "taken, done") return say(outgoing, failed(412, "PreconditionFailed"));
  if (trouble === "error in 200") return say(outgoing, failed(200, "InternalError"));
  if (trouble === "cut") return cut(incoming, outgoing, answer);
  say(outgoing, trouble === null ? answer : changed(answer, trouble));
}

/** @param short announces the whole body and ends the connection after what is given */
function ask(
  incoming: IncomingMessage,
  body: Buffer,
  target: URL,
  short: boolean,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, url, rawHeaders } = incoming;
    const onward = request(
      {
        host: target.hostname,
        port: target.port,
        method,
        path: url,
        headers: headersOf(rawHeaders),
      },
      (answer) => {
        const { statusCode = 0, headers } = answer;
        collect(answer).then((body) => resolve({ status: statusCode, headers, body }), reject);
      },
    );
    onward.on("error", reject);
    if (!short) return void onward.end(body);
    onward.write(body, () => onward.destroy(new Error("cut")));
  });
}

/** As they came: names and values are signed; a client that waits for 100 has been told to go on. */
function headersOf(raw: readonly string[]): string[] {
  return raw.filter((_, i) => raw[i - (i % 2)]?.toLowerCase() !== "expect");
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function say(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  const kept = Object.entries(headers).filter(([name]) => !HOP.has(name));
  outgoing.writeHead(status, Object.fromEntries(kept)).end(body);
}
const HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);

function cut(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: Answer,
): void {
  outgoing.writeHead(status, { ...headers, "content-length": String(Math.max(1, body.length)) });
  outgoing.write(body.subarray(0, body.length >> 1), () => incoming.socket.destroy());
}

function changed(answer: Answer, trouble: NetTrouble): Answer {
  const { headers, body } = answer;
  const with_ = (more: Answer["headers"]): Answer => ({
    ...answer,
    headers: { ...headers, ...more },
  });
  if (trouble === "tomorrow")
    return with_({ date: new Date(Date.now() + 86_400_000).toUTCString() });
  if (trouble === "other checksum")
    return with_({ "x-amz-checksum-sha256": Buffer.alloc(32, 1).toString("base64") });
  if (body.length === 0) return answer;
  if (trouble === "short") {
    const half = body.subarray(0, body.length >> 1);
    return { ...with_({ "content-length": String(half.length) }), body: half };
  }
  if (body.subarray(0, 1).toString() === "<") return answer;
  const flipped = Buffer.from(body);
  flipped[body.length >> 1] = (flipped[body.length >> 1] ?? 0) ^ 1;
  return { ...answer, body: flipped };
}

function slowDown(): Answer {
  return failed(503, "SlowDown");
}

function failed(status: number, code: string): Answer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>as planned</Message></Error>`;
  const body = Buffer.from(text);
  const headers = { "content-type": "application/xml", "content-length": String(body.length) };
  return { status, headers, body };
}
