// A cookie that holds a secret: unreadable for scripts, never sent along by other sites.
import type { Request, Response } from "express";

export type Cookie = {
  /**
   * What it holds, then what those of other ports hold: processes of one installation may be on several. Empty: there
   * is none.
   */
  read(req: Request): string[];
  write(res: Response, text: string): void;
  clear(res: Response): void;
};

/** Longer values are none of ours. */
const CHARS_MAX = 100;
/** A machine has a few dashboards at most, and each cookie is a read of MongoDB. */
const COOKIES_READ_MAX = 4;

/**
 * Under HTTPS the prefix keeps other hosts and plain HTTP from setting the cookie. `ownOrigin`: where people reach the
 * dashboard; else the request says it, as a trusted proxy does.
 */
export function makeCookie({
  name,
  lifeMs,
  ownOrigin,
}: {
  name: string;
  lifeMs: number;
  ownOrigin: string | null;
}): Cookie {
  const isSecure = ownOrigin?.startsWith("https:") ?? false;

  function cookieFor(req: Request) {
    const secure = isSecure || req.secure;
    // Browsers send a host's cookies to all of its ports: dashboards on two of them must not overwrite each other's.
    const { port } = new URL(ownOrigin ?? `${secure ? "https" : "http"}://${req.get("host")}`);
    const attributes = { httpOnly: true, sameSite: "strict", path: "/", secure } as const;
    const baseName = `${secure ? "__Host-" : ""}${name}`;
    return { baseName, fullName: port === "" ? baseName : `${baseName}-${port}`, attributes };
  }
  return {
    read(req) {
      const { baseName, fullName } = cookieFor(req);
      const isOurs = new RegExp(`^${baseName}(-\\d+)?$`);
      return (req.headers.cookie ?? "")
        .split(";")
        .map((pair) => pair.trim().split("="))
        .filter(([key = "", value = ""]) => isOurs.test(key) && value !== "" && value.length <= CHARS_MAX)
        .toSorted(([a], [b]) => Number(b === fullName) - Number(a === fullName))
        .slice(0, COOKIES_READ_MAX)
        .map(([, value = ""]) => value);
    },
    write(res, text) {
      const { fullName, attributes } = cookieFor(res.req);
      res.cookie(fullName, text, { ...attributes, maxAge: lifeMs });
    },
    clear(res) {
      const { fullName, attributes } = cookieFor(res.req);
      res.clearCookie(fullName, attributes);
    },
  };
}
