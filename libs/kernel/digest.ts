// The digest that keys and fingerprints are stored as.

/** SHA-256 of a text, base64url. */
export type Digest = (text: string) => string;
