// Reads a request's JSON body: its declared type, its size, its bytes, its shape. Refuses at the first byte that shows the fault.
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "#domain/app-error.ts";
import { busy, type HoldBytes } from "./admission.ts";
import { BODY_BYTES_MAX, JSON_DEPTH_MAX } from "#domain/bounds.ts";

/** Throws AppError `unsupported_media_type`, `body_too_large`, `busy`, `invalid_json`, `invalid_request` (too deep), in this order. */
export async function readJson(req: IncomingMessage, res: ServerResponse, holdBytes: HoldBytes): Promise<unknown> {
  requireJsonMediaType(req);
  const text = decodeUtf8(await readBytes(req, res, holdBytes));
  const value = parseJson(text);
  if (depthExceeds(value, JSON_DEPTH_MAX)) {
    throw new AppError("invalid_request", `The body is nested deeper than ${JSON_DEPTH_MAX} levels.`);
  }
  // Not before the depth is known: a reviver is called level within level.
  return MAYBE_INEXACT.test(text) ? JSON.parse(text, refuseInexact) : value;
}

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
/** Parameters that say nothing of the bytes may stand beside the charset. */
const PARAMETER = `charset=(?:"utf-?8"|utf-?8)|(?!charset=)${TOKEN}=(?:${TOKEN}|"[^"\\\\]*")`;
const JSON_MEDIA_TYPE = new RegExp(`^application/json(?:[ \\t]*;(?:[ \\t]*(?:${PARAMETER}))?)*$`, "i");

function requireJsonMediaType({ headers }: IncomingMessage): void {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", `A body in Content-Encoding ${encoding.slice(0, 50)} is not read: send it plain.`);
  }
  if (!JSON_MEDIA_TYPE.test(headers["content-type"]?.trim() ?? "")) {
    throw new AppError("unsupported_media_type", "Only JSON in UTF-8 is read: Content-Type: application/json.");
  }
}

function tooLarge(): AppError {
  return new AppError("body_too_large", `The body is larger than ${BODY_BYTES_MAX} bytes (256 KiB).`);
}

function readBytes(req: IncomingMessage, res: ServerResponse, holdBytes: HoldBytes): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > BODY_BYTES_MAX) return Promise.reject(tooLarge());
  if (/\b100-continue\b/i.test(req.headers.expect ?? "")) res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX && holdBytes(chunk.length)) {
        chunks.push(chunk);
        return;
      }
      req.removeAllListeners("data");
      reject(size > BODY_BYTES_MAX ? tooLarge() : busy());
    });
    req.on("end", () => {
      // Every request closes: an error that nobody hears costs a twelfth of the request (measured).
      req.off("close", gone);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    // The caller is gone, or Node has answered 408: nobody reads what is answered now. Also where all of the body had arrived: it is not
    // read any more. Whoever waited on for it would hold its room for ever.
    const gone = (): void => reject(new AppError("invalid_json", "The connection closed before the body was read."));
    req.on("error", reject);
    req.on("close", gone);
    if (req.destroyed) gone();
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not UTF-8.", { cause });
  }
}

/** Texts in which a number may have lost digits when it was parsed: more than the 15 that a double keeps, or an exponent below zero. */
const MAYBE_INEXACT = /[\d.]{16}|\de-/i;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = text.trim() === "" ? "The body is empty." : `The body is not JSON: ${positionIn(cause)}.`;
    throw new AppError("invalid_json", detail, { cause });
  }
}

/** NaN in place of a number that is no integer as written but became one: 1.0000000000000000001 is not 1 (JSON Schema). */
function refuseInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || !Number.isInteger(value) || context?.source === undefined) return value;
  return isIntegerLiteral(context.source) ? value : Number.NaN;
}

/** True for a JSON number whose value has no fraction: 25.0, 1e3, 120e-1. */
function isIntegerLiteral(literal: string): boolean {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(literal) ?? [];
  const digits = whole + fraction;
  let significant = digits.length;
  while (digits[significant - 1] === "0") significant -= 1;
  return significant === 0 || Number(exponent) + digits.length - significant >= fraction.length;
}

function positionIn(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return /at position \d+/.exec(message)?.[0] ?? "it ends too early or is malformed";
}

function depthExceeds(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => depthExceeds(inner, levels - 1));
}
