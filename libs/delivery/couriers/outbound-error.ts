// Why a request to a stranger got no response. `detail` is made from codes alone: what a receiver sends, and the URL,
// are no part of it.
import type { AttemptError } from "#domain/destination.ts";

type Reason = Exclude<AttemptError, "status">;

export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: Reason;
  constructor(reason: Reason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_|ERROR_IN_CERT|EPROTO)/;

const UNKNOWN_AUTHORITY = "The authority of the certificate is unknown here. NODE_EXTRA_CA_CERTS can name its file.";

const DETAILS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens on this port, or a firewall has rejected the connection.",
  ECONNRESET: "The receiver closed the connection before it sent a response.",
  EHOSTUNREACH: "No route leads to the address.",
  ENETUNREACH: "No route leads to the address.",
  HPE_HEADER_OVERFLOW: "The headers of the response are larger than 16 KiB.",
  CERT_HAS_EXPIRED: "The certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed. Use one of a public authority, or NODE_EXTRA_CA_CERTS.",
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `The receiver sends no intermediate certificates. Or: ${UNKNOWN_AUTHORITY}`,
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host name.",
};

export function outboundErrorOf(error: unknown): { error: Reason; detail: string } {
  if (error instanceof OutboundError) return { error: error.reason, detail: error.message };
  const code = codeOf(error);
  if (code === "ETIMEDOUT") return { error: "timeout", detail: "The address does not respond." };
  const detail = DETAILS[code];
  if (TLS_CODE.test(code)) return { error: "tls", detail: detail ?? `TLS could not be set up (${code}).` };
  return { error: "connection", detail: detail ?? `The connection failed (${code}).` };
}

/** Of an error for several addresses, the first one's. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
