// Answers requests with a method that Node's parser does not know. They are nevertheless well-formed (RFC 9110 9.1),
// and no endpoint supports such a method. So they are answered like any other request; only their head is read, and
// their connection is closed after the response.
import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const HEAD = new RegExp(`^(${TOKEN}) ([!-~]+) HTTP/1\\.1\\r\\n((?:${TOKEN}:[^\\r\\n\\0]*\\r\\n)+)\\r\\n`);

/** The request at the beginning of the bytes; null if they are not HTTP/1.1, or not a complete head. */
export function requestOfUnknownMethod(bytes: Buffer, socket: Socket): IncomingMessage | null {
  const [, method, url, fields] = HEAD.exec(bytes.toString("latin1")) ?? [];
  if (method === undefined || url === undefined || fields === undefined) return null;
  const req = new IncomingMessage(socket);
  req.method = method;
  req.url = url;
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  req.httpVersion = "1.1";
  const sent = fields
    .trimEnd()
    .split("\r\n")
    .map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1).trim()] as const);
  req.rawHeaders = sent.flat();
  const byName = Map.groupBy(sent, ([name]) => name.toLowerCase());
  req.headers = Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.map(([, value]) => value).join(", ")]),
  );
  req.complete = true;
  return byName.has("host") ? req : null;
}
