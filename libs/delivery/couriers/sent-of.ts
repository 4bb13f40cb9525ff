// What became of a request, as an attempt that is recorded.
import { RESPONSE_SHOWN_BYTES } from "#delivery/couriers/bounds.ts";
import type { OutboundResult, Sent, Verdict } from "#delivery/ports.ts";

export function sentOf(result: OutboundResult, verdict: Verdict): Sent {
  const { ms } = result;
  if (result.kind === "error")
    return { ms, status: null, error: result.error, response: null, verdict, detail: result.detail };
  const { status, headers, body } = result;
  const error = status >= 200 && status < 300 ? null : "status";
  const location = status >= 300 && status < 400 ? redirectOf(headers["location"]) : null;
  const shown = new TextDecoder().decode(Buffer.from(body).subarray(0, RESPONSE_SHOWN_BYTES), { stream: true });
  if (location === null) return { ms, status, error, response: shown, verdict };
  return { ms, status, error, response: shown, verdict, detail: `Redirects to ${location}: set that URL.` };
}

/** Without its query and user, which may be secret. Null if it is none. */
function redirectOf(location: string | undefined): string | null {
  const url = location === undefined ? null : URL.parse(location);
  if (!url) return location?.split(/[?#]/)[0]?.slice(0, RESPONSE_SHOWN_BYTES) || null;
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}
