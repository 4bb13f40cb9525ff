// Before the first paint, so that no page flashes in the other colors: the theme that the person chose in this browser.
try {
  const theme = localStorage.getItem("theme");
  if (theme !== null) {
    document.documentElement.dataset.theme = theme;
    // Until the style sheet has arrived.
    document.querySelector("meta[name=color-scheme]")?.setAttribute("content", theme);
  }
} catch {
  // A browser that stores nothing shows the colors of the system.
}
