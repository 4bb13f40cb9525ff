// A cookie that proves something: unreadable for scripts, never sent along by other sites.
import type { Request, Response } from "express";

export type Cookie = { read(req: Request): string | null; write(res: Response, text: string): void; clear(res: Response): void };

/** Longer values are none of ours. */
const CHARS_MAX = 100;

/**
 * Under HTTPS the prefix keeps other hosts and plain HTTP from setting the cookie. `isSecure`: people reach the dashboard by HTTPS alone;
 * else the request says it, as a trusted proxy does.
 */
export function makeCookie(isSecure: boolean, plainName: string, lifeMs: number): Cookie {
  function cookieFor(req: Request) {
    const secure = isSecure || req.secure;
    const attributes = { httpOnly: true, sameSite: "strict", path: "/", secure } as const;
    return { name: secure ? `__Host-${plainName}` : plainName, attributes };
  }
  return {
    read(req) {
      const { name } = cookieFor(req);
      const pairs = (req.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
      const value = pairs.find(([key]) => key === name)?.[1];
      return value && value.length <= CHARS_MAX ? value : null;
    },
    write(res, text) {
      const { name, attributes } = cookieFor(res.req);
      res.cookie(name, text, { ...attributes, maxAge: lifeMs });
    },
    clear(res) {
      const { name, attributes } = cookieFor(res.req);
      res.clearCookie(name, attributes);
    },
  };
}
