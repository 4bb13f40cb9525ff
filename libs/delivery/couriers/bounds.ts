// Limits of requests to strangers.

/** Resolving the name, connecting, and the TLS handshake. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** One address of several, before the next is tried: longer than a connection around the world takes. */
export const CONNECT_ATTEMPT_MS = 1_000;

/** Twice what common servers send at most. */
export const RESPONSE_HEADER_BYTES_MAX = 16_384;

/** Informational responses before the response; servers send one or two. */
export const INFORMATIONAL_MAX = 8;

/** How much of a receiver's response is read, and of that is shown. */
export const RESPONSE_BYTES_MAX = 16_384;
export const RESPONSE_SHOWN_BYTES = 1_024;

/** Only people read it: the headers decide, and a place is not kept for a body that does not end. */
export const RESPONSE_MS_MAX = 1_000;

/** A receiver cannot ask for a longer rest. */
export const REST_MS_MAX = 3_600_000;
