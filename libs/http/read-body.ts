// Reads the bytes of a request's JSON body. Checks its declared type, then its size, and fails at the first byte that
// violates one of them.
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "#kernel/app-error.ts";
import { headerValues } from "#http/header-values.ts";

/** `tooLarge`: the detail of the error for a larger body. */
export type BodyLimits = { bytesMax: number; tooLarge: string; hold: HoldBytes };
/** Counts bytes until the request is answered; an AppError `busy` if there is no capacity for them. */
export type HoldBytes = (bytes: number) => AppError | null;

/** Throws AppError `unsupported_media_type`, `body_too_large`, `busy`, in this order. */
export async function readBody(req: IncomingMessage, res: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  requireJsonMediaType(req);
  return readBytes(req, res, limits);
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
/** Parameters that do not concern the encoding may follow the charset. */
const PARAMETER = `charset=(?:"utf-?8"|utf-?8)|(?!charset=)${TOKEN}=(?:${TOKEN}|"[^"\\\\]*")`;
const JSON_MEDIA_TYPE = new RegExp(`^application/json(?:[ \\t]*;(?:[ \\t]*(?:${PARAMETER}))?)*$`, "i");

function requireJsonMediaType(req: IncomingMessage): void {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new AppError(
      "unsupported_media_type",
      `A body in Content-Encoding ${encoding.slice(0, 50)} is not supported: send it uncompressed.`,
    );
  }
  const types = headerValues(req, "content-type");
  // Node reads the first of several: the others could declare something else.
  if (types.length === 0 || !types.every((type) => JSON_MEDIA_TYPE.test(type.trim()))) {
    throw new AppError(
      "unsupported_media_type",
      `Only JSON in UTF-8 is supported: send Content-Type: application/json, not ${shown(types)}.`,
    );
  }
}

/** The types that were sent, short enough to be returned. */
function shown(types: readonly string[]): string {
  const text = types.join(" and ").trim().slice(0, 100);
  if (text === "") return "a body without a type";
  return text === "application/x-www-form-urlencoded" ? `${text}, which curl sends by default` : text;
}

/** The same, of a body of any declared type. */
export function readBytes(req: IncomingMessage, res: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  const tooLarge = (): AppError => new AppError("body_too_large", limits.tooLarge);
  if (Number(req.headers["content-length"] ?? 0) > limits.bytesMax) return Promise.reject(tooLarge());
  // Callers of HTTP/1.0 know no interim responses (RFC 9110 10.1.1).
  if (req.httpVersion !== "1.0" && /\b100-continue\b/i.test(req.headers.expect ?? "")) res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      const fault = size > limits.bytesMax ? tooLarge() : limits.hold(chunk.length);
      if (!fault) return void chunks.push(chunk);
      req.removeAllListeners("data");
      reject(fault);
    });
    req.on("end", () => {
      // Every request emits `close`: creating an error without a listener costs 8 % of the request (measured).
      req.off("close", onClose);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // The caller has disconnected, or Node has answered 408: nobody reads a response. This also applies if the whole
    // body had arrived, because it is not read any more. Waiting for it would hold its capacity forever.
    const onClose = (): void => reject(new AppError("invalid_json", "The connection closed before the body was read."));
    req.on("error", reject);
    req.on("close", onClose);
    if (req.destroyed) onClose();
  });
}
