// One attempt of one request: returns its answer or its error, never throws, and never takes longer than its timeout,
// whatever fetch does.
import { ClanXpError, type ErrorDetails, type Fault } from "./error.ts";
import type { ClanXpErrorCode } from "./error-code.ts";
import { apiKeyFault, maskKeys } from "./setting-faults.ts";
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
  /**
   * Identifies a body of this endpoint, since proxies and sign-in pages answer with a 2xx, too: the name of a text that
   * every one has, or a check.
   */
  accepts: string | ((body: Body) => boolean);
};

export type Body = Readonly<Record<string, unknown>>;
/** `afterMs`: the minimum wait that the service requests. */
export type Answer = { body: Body; headers: Headers; requestId: string | undefined; afterMs: number };
/** `again`: the error is retryable. */
export type Outcome = { answer: Answer } | { error: ClanXpError; again: boolean; afterMs: number };

/** And every 5xx: the one who sends it may be a proxy with statuses of its own. */
const RETRIED = [408, 425, 429];
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

async function exchange(config: Config, request: Request, signal: AbortSignal): Promise<Outcome> {
  const { method, path, body, headers } = request;
  let apiKey = "";
  try {
    apiKey = typeof config.apiKey === "function" ? await config.apiKey() : config.apiKey;
    const fault = apiKeyFault("The result of the apiKey function", apiKey);
    if (fault !== undefined) return failed("invalid_argument", fault);
  } catch (error) {
    return failed("key_missing", `The apiKey function failed: ${maskKeys(reasonOf(error))}`, { retryable: true }, true);
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
    return read(response, await response.text(), request, (text) => withoutKey(text, apiKey));
  } catch (error) {
    const message = `No answer: ${withoutKey(reasonOf(error), apiKey)}`;
    return failed("connection", message, { retryable: true }, true);
  }
}

function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < SECRET_CHARS_MIN ? text : text.replaceAll(apiKey, "***");
}

/** `clean`: a proxy or a debugging service may return the headers that it has received. */
function read(
  { status, headers }: Response,
  text: string,
  { accepts }: Request,
  clean: (text: string) => string,
): Outcome {
  const parsed = parse(clean(text));
  const body: Body = typeof parsed === "object" && parsed !== null ? (parsed as Body) : {};
  const afterMs = retryAfterMs(headers);
  const { code, detail, errors, requestId: named } = body;
  const requestId = headers.get("request-id") || (typeof named === "string" && named) || undefined;
  const isSuccess = status >= 200 && status < 300;
  const isOwn = typeof accepts === "string" ? typeof body[accepts] === "string" : accepts(body);
  if (isSuccess && isOwn) return { answer: { body, headers, requestId, afterMs } };
  // A success from elsewhere says nothing about the request.
  const again = isSuccess || (status >= 500 && status < 600) || RETRIED.includes(status);
  const details = { status, retryable: again, ...(requestId && { requestId }) };
  const isProblem =
    typeof code === "string" && typeof detail === "string" && /json/i.test(headers.get("content-type") ?? "");
  if (status < 400 || !isProblem) {
    const location = status < 300 || status >= 400 ? null : headers.get("location");
    const fault = location === null ? "not one of the API" : `a redirect to ${clean(location)}, which is not followed`;
    return failed("unexpected_answer", `The answer with status ${status} is ${fault}.`, details, again, afterMs);
  }
  const more = { ...details, ...(Array.isArray(errors) && { errors: errors.filter(isFault) }) };
  return failed(code as ClanXpErrorCode, detail, more, again, afterMs);
}

function isFault(fault: unknown): fault is Fault {
  return typeof (fault as Partial<Fault> | null)?.pointer === "string";
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
