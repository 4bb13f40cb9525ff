// Requests with a method that Node's parser does not know. They are well-formed all the same (RFC 9110 9.1), and no endpoint has such a
// method: so they are answered like any other, nothing of them but their head is read, and their connection ends behind the answer.
import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const HEAD = new RegExp(`^(${TOKEN}) ([!-~]+) HTTP/1\\.1\\r\\n((?:${TOKEN}:[^\\r\\n\\0]*\\r\\n)+)\\r\\n`);

/** The request that the bytes begin with; null where they are no HTTP/1.1, or not a whole head. */
export function requestOfUnknownMethod(bytes: Buffer, socket: Socket): IncomingMessage | null {
  const [, method, url, fields] = HEAD.exec(bytes.toString("latin1")) ?? [];
  if (method === undefined || url === undefined || fields === undefined) return null;
  const req = new IncomingMessage(socket);
  req.method = method;
  req.url = url;
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  req.httpVersion = "1.1";
  const byName = Map.groupBy(fields.trimEnd().split("\r\n"), (field) => field.slice(0, field.indexOf(":")).toLowerCase());
  const distinct = [...byName].map(
    ([name, lines]) => [name, lines.map((field) => field.slice(name.length + 1).trim())] as [string, string[]],
  );
  req.headersDistinct = Object.fromEntries(distinct);
  req.headers = Object.fromEntries(distinct.map(([name, values]) => [name, values.join(", ")]));
  req.complete = true;
  return byName.has("host") ? req : null;
}
