// A peer that answers as the test says: for what a real API does not do on command, such as one certain status or half
// an answer.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: any;
  bytes: number;
  at: number;
};
/**
 * `hang`: nothing, ever. `cut`: the connection ends instead. `half`: it ends within the body. `stall`: the body never
 * ends.
 */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  | "hang"
  | "cut"
  | "half"
  | "stall";

export type StandIn = { url: string; received: Received[]; close(): Promise<void> };

/** `answer`: to the request of this number, from 0. */
export async function startStandIn(
  answer: (request: Received, number: number) => Answer | Promise<Answer>,
): Promise<StandIn> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url = "", headers } = request;
      const one = {
        method,
        path: url,
        headers,
        body: text === "" ? undefined : JSON.parse(text),
        bytes: Buffer.byteLength(text),
        at: performance.now(),
      };
      received.push(one);
      void Promise.resolve(answer(one, received.length - 1)).then((given) => send(response, given));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === "hang") return;
  if (answer === "cut") return void response.destroy();
  if (answer === "half" || answer === "stall") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"platformId":', () => void (answer === "half" && response.destroy()));
    return;
  }
  const { status = 200, headers = {}, body = {} } = answer;
  const type = status < 400 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type, "request-id": "req-1", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A problem document of this status and code. */
export function problem(
  status: number,
  code: string,
  more: { headers?: Record<string, string>; errors?: object[] } = {},
): Answer {
  const { headers = {}, errors } = more;
  const detail = `Because of ${code}.`;
  return {
    status,
    headers,
    body: { type: `/docs#${code}`, title: code, status, code, detail, requestId: "req-1", ...(errors && { errors }) },
  };
}

/** A 200 of the call with several awards: every entry as `result` says, applied by default. */
export function resultsFor({ body }: Received, result: (award: any, index: number) => object = () => ({})): Answer {
  const results = body.awards.map((award: any, index: number) => ({
    index,
    platformId: award.platformId,
    ...outcome(result(award, index)),
  }));
  return { body: { applied: results.length, results } };
}

/** Applied by default. */
function outcome(fields: object): object {
  return "error" in fields ? fields : { status: "applied", xp: "5", rank: "Guest", ...fields };
}

export const awarded: Answer = { body: { platformId: "p", xp: "5", rank: "Guest" } };
