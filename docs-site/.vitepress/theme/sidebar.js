// The groups of the sidebar. VitePress makes a group a button, and its arrow a second one inside: the arrow is only
// drawn here, because a button inside a button cannot be announced.

export function joinButtons() {
  for (const arrow of document.querySelectorAll(".VPSidebarItem.level-0 > .item > .caret")) {
    for (const attribute of ["role", "tabindex", "aria-label"]) arrow.removeAttribute(attribute);
    arrow.setAttribute("aria-hidden", "true");
  }
}
