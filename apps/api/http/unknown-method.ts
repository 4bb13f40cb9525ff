// Answers requests with a method that Node's parser does not know. They are nevertheless well-formed (RFC 9110 9.1),
// and no endpoint supports such a method. So they are answered like any other request; only their head is read, and
// their connection is closed after the response.
import { IncomingMessage, METHODS } from "node:http";
import type { Socket } from "node:net";

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const HEAD = new RegExp(`^(${TOKEN}) ([!-~]+) HTTP/1\\.([01])\\r\\n((?:${TOKEN}:[^\\r\\n\\0]*\\r\\n)*)\\r\\n`);

/**
 * The request at the beginning of the bytes; null if they are not HTTP/1, not a complete head, or begin with another
 * request.
 */
export function requestOfUnknownMethod(bytes: Buffer, socket: Socket): IncomingMessage | null {
  const [, method, url, minor, fields] = HEAD.exec(bytes.toString("latin1")) ?? [];
  if (method === undefined || url === undefined || fields === undefined || METHODS.includes(method)) return null;
  const req = new IncomingMessage(socket);
  req.method = method;
  req.url = url;
  req.httpVersionMajor = 1;
  req.httpVersionMinor = Number(minor);
  req.httpVersion = `1.${minor}`;
  const sent = fields
    .split("\r\n")
    .slice(0, -1)
    .map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1).trim()] as const);
  req.rawHeaders = sent.flat();
  const byName = Map.groupBy(sent, ([name]) => name.toLowerCase());
  req.headers = Object.fromEntries(
    [...byName].map(([name, values]) => [name, values.map(([, value]) => value).join(", ")]),
  );
  req.complete = true;
  return req;
}
