// Closes the menus of the frame: one is over the page that was chosen in it, and over a question before it is left.

export function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLElement>("[popover]:popover-open")) menu.hidePopover();
}
