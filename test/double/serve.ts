// The double as a process: `npx tsx test/double/serve.ts <port> <bucket>`, with versions and Object Lock in the
// bucket. It says `ready` when it answers, and ends with its standard input.
import { double } from "./server.js";

const [port = "0", bucket = "kept"] = process.argv.slice(2);
const server = await double({ port: Number(port) });
server.bucket(bucket, { lock: true });
process.stdout.write(`ready ${server.url}\n`);
process.stdin.resume().on("end", () => process.exit(0));
