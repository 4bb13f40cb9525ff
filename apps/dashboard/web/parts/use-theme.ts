// Whether the system shows dark or light: for what is drawn, and does not follow a style sheet by itself.
import { useSyncExternalStore } from "react";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

export function useTheme(): "dark" | "light" {
  return useSyncExternalStore(
    (onChange) => {
      dark.addEventListener("change", onChange);
      return () => dark.removeEventListener("change", onChange);
    },
    () => (dark.matches ? "dark" : "light"),
  );
}
