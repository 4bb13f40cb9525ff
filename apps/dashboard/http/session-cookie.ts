// The cookie that carries a session: unreadable for scripts, never sent along by other sites.
import type { Request, Response } from "express";
import { SESSION_LIFE_MS } from "#usecases/bounds.ts";

export type SessionCookie = { read(req: Request): string | null; write(res: Response, session: string): void; clear(res: Response): void };

/** Longer values are no session of ours. */
const CHARS_MAX = 100;

/** `isSecure`: the prefix then keeps other hosts and plain HTTP from setting the cookie. */
export function makeSessionCookie(isSecure: boolean): SessionCookie {
  const name = isSecure ? "__Host-clanxp" : "clanxp";
  const attributes = { httpOnly: true, sameSite: "strict", path: "/", secure: isSecure } as const;
  return {
    read(req) {
      const pairs = (req.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
      const value = pairs.find(([key]) => key === name)?.[1];
      return value && value.length <= CHARS_MAX ? value : null;
    },
    write: (res, session) => void res.cookie(name, session, { ...attributes, maxAge: SESSION_LIFE_MS }),
    clear: (res) => void res.clearCookie(name, attributes),
  };
}
