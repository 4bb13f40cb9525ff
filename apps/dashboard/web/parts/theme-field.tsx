// The colors of all pages: those of the system, light or dark ones. The choice is remembered in this browser, where
// public/theme.js applies it before the first paint.
import { useState } from "react";

const SYSTEM = "system";

export function ThemeField() {
  const [theme, setTheme] = useState(document.documentElement.dataset["theme"] ?? SYSTEM);
  function choose(chosen: string): void {
    setTheme(chosen);
    show(chosen);
  }
  return (
    <label className="flex items-center justify-between gap-3 text-sm text-muted">
      Theme
      <select
        value={theme}
        onChange={(event) => choose(event.target.value)}
        className="rounded-lg border border-field bg-panel px-2 py-1 text-ink"
      >
        <option value={SYSTEM}>System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function show(theme: string): void {
  const { dataset } = document.documentElement;
  if (theme === SYSTEM) delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    if (theme === SYSTEM) localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Then the choice lasts until the page is loaded again.
  }
}
