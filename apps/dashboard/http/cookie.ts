// A cookie with a secret: scripts cannot read it, and requests from other sites do not include it.
import type { Request, Response } from "express";

export type Cookie = {
  /**
   * The value of this cookie, then those of other ports, because processes of one installation may use several ports.
   * Empty if there is none.
   */
  read(req: Request): string[];
  write(res: Response, text: string): void;
  clear(res: Response): void;
};

/** Longer values were not set by the dashboard. */
const CHARS_MAX = 100;
/** A machine has a few dashboards at most, and each cookie costs a read of MongoDB. */
const COOKIES_READ_MAX = 4;

/**
 * Under HTTPS, the prefix prevents other hosts and plain HTTP from setting the cookie. `ownOrigin`: the configured
 * origin of the dashboard; otherwise the origin is taken from the request, including the headers of a trusted proxy.
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
    // Browsers send a host's cookies to all of its ports, and dashboards on two ports must not overwrite each other's
    // cookies.
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
