// One attempt of one request: returns its answer or its error, never throws, and never takes longer than its timeout,
// whatever fetch does.
import { ClanXpError, type ErrorDetails, type Fault } from "./error.ts";
import type { ClanXpErrorCode } from "./error-code.ts";
import { timerMs } from "./timer-ms.ts";
import type { ClanXpOptions } from "./types.ts";

/** Options with every default filled in. */
export type Config = Pick<ClanXpOptions, "apiKey" | "fetch"> & {
  /** The prefix of all requests: `https://…/v0/clans/{clanId}`. */
  clanUrl: string;
  timeoutMs: number;
  deadlineMs: number;
  retries: number;
};

export type Request = {
  method: "GET" | "POST";
  /** Relative to the clan. */
  path: string;
  body?: string;
  headers?: Record<string, string>;
};

export type Answer = { body: unknown; headers: Headers };
/** `again`: the error is retryable. `afterMs`: the minimum wait that the service requests. */
export type Outcome = { answer: Answer } | { error: ClanXpError; again: boolean; afterMs: number };

const RETRIED = [408, 429, 500, 502, 503, 504];
/** A shorter text is not an API key, and could occur in any message. */
const SECRET_CHARS_MIN = 12;

export async function attempt(
  config: Config,
  request: Request,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Outcome> {
  const controller = new AbortController();
  let end = (_outcome: Outcome): void => {};
  const cut = new Promise<Outcome>((resolve) => (end = resolve));
  const cutOff = (code: "aborted" | "timeout", message: string): void => {
    end(failed(code, message, { retryable: true }, code === "timeout"));
    // Nothing of this attempt may continue once the next one begins.
    controller.abort();
  };
  const abort = (): void => cutOff("aborted", "The call was aborted.");
  const late = (): void => cutOff("timeout", `No whole answer within ${Math.round(timeoutMs)} ms.`);
  const timer = setTimeout(late, timerMs(timeoutMs));
  signal?.addEventListener("abort", abort);
  const outcome = await Promise.race([cut, exchange(config, request, controller.signal)]);
  clearTimeout(timer);
  signal?.removeEventListener("abort", abort);
  return outcome;
}

async function exchange(
  config: Config,
  { method, path, body, headers }: Request,
  signal: AbortSignal,
): Promise<Outcome> {
  let apiKey = "";
  try {
    apiKey = typeof config.apiKey === "function" ? await config.apiKey() : config.apiKey;
    if (!isApiKey(apiKey))
      return failed("invalid_argument", "apiKey must be a string of printable ASCII characters without space.");
  } catch (error) {
    return failed("key_missing", `The apiKey function failed: ${reasonOf(error)}`, { retryable: true }, true);
  }
  try {
    // The attempt may have ended while the key was requested.
    signal.throwIfAborted();
    const response = await (config.fetch ?? fetch)(config.clanUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: "application/json, application/problem+json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      // A key is sent only to the address that it was configured for, and a redirect must not turn a POST into a GET.
      redirect: "manual",
      signal,
    });
    // A proxy or a debugging service may return the headers that it has received.
    return read(response, withoutKey(await response.text(), apiKey));
  } catch (error) {
    const message = `No answer: ${withoutKey(reasonOf(error), apiKey)}`;
    return failed("connection", message, { retryable: true }, true);
  }
}

function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < SECRET_CHARS_MIN ? text : text.replaceAll(apiKey, "***");
}

export function isApiKey(value: unknown): boolean {
  return typeof value === "string" && /^[!-~]+$/.test(value);
}

function read(response: Response, text: string): Outcome {
  const { status, headers } = response;
  const body = parse(text);
  if (status >= 200 && status < 300 && typeof body === "object" && body) return { answer: { body, headers } };
  const again = RETRIED.includes(status);
  const problem = (/json/i.test(headers.get("content-type") ?? "") && body) || {};
  const { code, detail, errors, requestId: named } = problem as Record<string, unknown>;
  const requestId = headers.get("request-id") ?? (typeof named === "string" ? named : null);
  const details = { status, retryable: again, ...(requestId !== null && { requestId }) };
  const afterMs = retryAfterMs(headers);
  if (status < 400 || typeof code !== "string") {
    return failed(
      "unexpected_answer",
      `The answer with status ${status} is not one of the API.`,
      details,
      again,
      afterMs,
    );
  }
  const more = { ...details, ...(Array.isArray(errors) && { errors: errors.filter(isFault) }) };
  return failed(code as ClanXpErrorCode, String(detail), more, again, afterMs);
}

function isFault(fault: unknown): fault is Fault {
  return typeof fault === "object" && fault !== null && "pointer" in fault && typeof fault.pointer === "string";
}

function failed(
  code: ClanXpErrorCode,
  message: string,
  details: ErrorDetails = {},
  again = false,
  afterMs = 0,
): Outcome {
  return { error: new ClanXpError(code, message, details), again, afterMs };
}

/** The wait that `Retry-After` requests, in seconds or until a date; 0 without it. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get("retry-after") ?? "";
  // By the service's clock if the response has it: the local one may be wrong.
  const now = Date.parse(headers.get("date") ?? "") || Date.now();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return ms > 0 ? ms : 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch wraps errors: its message is "fetch failed", and the reason is its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = Object(error) as { message?: unknown; cause?: unknown };
  const { code, message: inner = "" } = Object(cause) as { code?: unknown; message?: unknown };
  return [message ?? error, code ?? inner].filter(Boolean).map(String).join(": ");
}
