// The colors of all pages: those of the system, light or dark ones. The choice is remembered in this browser, where
// public/theme.js applies it before the first paint.
import { useSyncExternalStore } from "react";

const SYSTEM = "system";
const themes = [
  [SYSTEM, "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

export function ThemeField() {
  const theme = useSyncExternalStore(subscribe, shownTheme);
  return (
    <fieldset>
      <legend className="mb-1 text-sm text-muted">Theme</legend>
      <div className="grid grid-cols-3 rounded-lg border border-field p-0.5 text-center text-sm">
        {themes.map(([value, text]) => (
          <label
            key={value}
            className="relative cursor-pointer rounded-md py-0.5 text-muted outline-offset-2 outline-accent-ink has-checked:bg-sunken has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              checked={theme === value}
              onChange={() => showTheme(value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function shownTheme(): string {
  return document.documentElement.dataset["theme"] ?? SYSTEM;
}

/** The palette changes it, too. */
function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

export function showTheme(theme: string): void {
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
