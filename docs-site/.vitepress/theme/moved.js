// Links to a section that has moved to a page of its own: the old page has its anchors in a list, beside a link to the
// new one, where the section has the same anchor.

export function followMoved() {
  const anchor = decodeURIComponent(window.location.hash.slice(1));
  const moved = anchor === "" ? null : document.querySelector(`li > a[id="${CSS.escape(anchor)}"]`);
  const link = moved?.parentElement.querySelector("a[href]");
  if (link) window.location.replace(`${new URL(link.href).pathname}#${anchor}`);
}
