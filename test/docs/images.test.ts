// The pictures of the pages: each exists, says in words what it shows, and is small; and none is left that no page
// shows.
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { readPage } from "../support/docs-page.ts";

const BYTES_MAX = 150_000;
/** A few words: fewer do not describe the picture to a person who cannot see it. */
const ALT_CHARS_MIN = 20;
const PNG_SIGNATURE = "89504e470d0a1a0a";
/** Width and height come behind the signature and the header's length and name. */
const PNG_SIZE_AT = 16;
const WIDTH = 1280;

const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })];
const shown = pages.flatMap((page) =>
  [...readPage(page).matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(([, alt = "", target = ""]) => {
    return { page, alt, path: posix.join(posix.dirname(page), target) };
  }),
);

test.each(shown)("the image of $page exists, has a description and is small: $path", ({ alt, path }) => {
  expect(alt.length).toBeGreaterThanOrEqual(ALT_CHARS_MIN);
  expect(statSync(join(root, path)).size).toBeLessThan(BYTES_MAX);
});

test("every image is a PNG of one width that a page shows and npm run screenshots creates", () => {
  const stored = globSync("docs/images/*", { cwd: root }).toSorted();
  expect(stored.length).toBeGreaterThan(5);
  const paths = new Set(shown.map(({ path }) => path).filter((path) => path.startsWith("docs/images/")));
  expect(paths).toStrictEqual(new Set(stored));
  const script = readFileSync(join(root, "test/screenshots/shots.ts"), "utf8");
  for (const path of stored) {
    const bytes = readFileSync(join(root, path));
    expect(bytes.subarray(0, 8).toString("hex")).toBe(PNG_SIGNATURE);
    expect(bytes.readUInt32BE(PNG_SIZE_AT)).toBe(WIDTH);
    expect(script).toMatch(new RegExp(`keep\\("${basename(path, ".png")}"[,)]`));
  }
});
