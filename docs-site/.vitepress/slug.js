// The anchor of a heading by GitHub's rules, so that the same links work in the repository and on the site.

/** @param {string} heading */
export function slugOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}
