// Headers of every answer: nothing inline, nothing from elsewhere, no frame, no cache of what is not public.
import type { RequestHandler } from "express";

/** Scripts and styles are files of the built app alone; Trusted Types leave no sink for injected HTML. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const YEAR_S = 365 * 24 * 3_600;

/** `isSecure`: people reach the dashboard by HTTPS, whatever a single request says. */
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
    if (isSecure || req.secure) res.set("Strict-Transport-Security", `max-age=${YEAR_S}`);
    next();
  };
}
