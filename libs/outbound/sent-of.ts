// What became of a request, as an attempt that is recorded.
import { RESPONSE_SHOWN_BYTES } from "#outbound/bounds.ts";
import type { OutboundResult, Sent, Verdict } from "#usecases/destinations/ports.ts";

export function sentOf(result: OutboundResult, verdict: Verdict): Sent {
  const { ms } = result;
  if (result.kind === "error")
    return { ms, status: null, error: result.error, response: null, verdict, detail: result.detail };
  const { status, body } = result;
  const error = status >= 200 && status < 300 ? null : "status";
  const shown = new TextDecoder().decode(Buffer.from(body).subarray(0, RESPONSE_SHOWN_BYTES), { stream: true });
  return { ms, status, error, response: shown, verdict };
}
