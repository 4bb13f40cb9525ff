// How a request target is read. Most are used unchanged, which must never differ from the result of a URL parser.
import fc from "fast-check";
import { expect, test } from "vitest";
import { originForm } from "#http/express-app.ts";

const folded = ["/", ".", "..", "//", "%2e", "%2F", "?", "#", "\\"];
const piece = fc.constantFrom(...folded, " ", ":", "@", "~", "-", "_", "|", "é", "v0", "clans", "m1");

test("a request target of any form is interpreted as by the URL parser", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const target = `/${pieces.join("")}`;
      const url = URL.parse(`http://host${target}`);
      expect(originForm(target)).toBe(url && url.pathname + url.search);
    }),
    { numRuns: 2_000 },
  );
});
