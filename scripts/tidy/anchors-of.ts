// The anchors of a page, which links and citations name.

/** Explicit anchors, and headings as GitHub names them. */
export function anchorsOf(lines: string[]) {
  const anchors: Set<string> = new Set();
  for (const line of lines) {
    for (const [, id = ""] of line.matchAll(/<a id="([^"]+)">/g)) anchors.add(id);
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (heading)
      anchors.add(
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
          .replaceAll(" ", "-"),
      );
  }
  return anchors;
}
