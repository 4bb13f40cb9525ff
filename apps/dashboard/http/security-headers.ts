// Headers of every response: no inline code, no content from other hosts, no frames, no caching of private data.
import type { RequestHandler } from "express";

/** Scripts and styles are only files of the built app; Trusted Types prevent the injection of HTML. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  // The preview of the public page.
  "frame-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** For a year. */
export const STRICT_TRANSPORT = `max-age=${365 * 24 * 3_600}`;

/** `isSecure`: the dashboard is configured for HTTPS, whatever the protocol of a single request. */
export function securityHeaders(isSecure: boolean): RequestHandler {
  const headers = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
  };
  return (req, res, next) => {
    res.set(headers);
    if (isSecure || req.secure) res.set("Strict-Transport-Security", STRICT_TRANSPORT);
    next();
  };
}
