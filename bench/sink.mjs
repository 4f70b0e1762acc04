// A server that takes a PUT's bytes and says so, and does nothing else: what is measured is the sender.
import { createServer } from "node:http";

const server = createServer((req, res) => {
  req.resume();
  req.on("end", () => {
    res.writeHead(req.method === "PUT" ? 200 : 404, { etag: '"0"', "content-length": "0" });
    res.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
