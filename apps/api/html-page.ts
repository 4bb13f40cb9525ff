// The frame of every HTML page: no script, no other host, one style sheet.
import { escapeHtml } from "#http/escape-html.ts";

const NAME = "Clan XP";
export const STYLE_PATH = "/docs/style.css";
export const ICON_PATH = "/docs/icon.svg";

/** `title` is text, `html` is markup. */
export function htmlPage({ title, html, home }: { title: string; html: string; home: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === NAME ? NAME : `${escapeHtml(title)} · ${NAME}`}</title>
<link rel="icon" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<nav><a href="/">Clan XP</a> <a href="${home}">Documentation</a></nav>
<main>
${html}
</main>
</body>
</html>
`;
}

export const STYLE_SHEET = `:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 1rem; }
nav a { margin-right: 1rem; }
pre, table { display: block; overflow-x: auto; }
pre { padding: 0.75rem; background: color-mix(in srgb, CanvasText 7%, Canvas); }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
table { border-collapse: collapse; }
th, td { border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); padding: 0.3rem 0.6rem; text-align: left;
  vertical-align: top; }
h1, h2, h3 { line-height: 1.25; }
img { max-width: 100%; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); border-radius: 0.5rem; }
`;

/** The dashboard's, so that both have one. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4f46e5"/><path d="M8 20l8-9 8 9M8 25l8-9 8 9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>';
