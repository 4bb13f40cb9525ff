// The documentation site. Its pages are those that scripts/docs-site/build.ts has laid out in DOCS_STAGE, with the
// repository's paths. The Content-Security-Policy of the API permits neither inline scripts nor inline styles, so
// none may be left in the built pages.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { transformerStyleToClass } from "@shikijs/transformers";
import { slugOf } from "./slug.js";
import { tabs } from "./tabs.js";

const stage = process.env.DOCS_STAGE;
if (!stage) throw new Error("DOCS_STAGE is not set: build the site with npm run docs");
/** Written by scripts/docs-site/build.ts. */
const { version, urls, pages, sidebar, keywords } = JSON.parse(readFileSync(join(stage, "site.json"), "utf8"));
const editUrl = process.env.DOCS_EDIT_URL;

const BASE = "/docs/";
const CODE_STYLE = "code.css";
const EARLY_SCRIPT = "early.js";
const styleToClass = transformerStyleToClass({ classPrefix: "c-" });
/** Scripts that VitePress writes into each page: the same on all. */
const early = new Set();

// oxlint-disable-next-line import/no-default-export -- VitePress loads a configuration so.
export default {
  srcDir: stage,
  cacheDir: join(stage, "cache"),
  base: BASE,
  lang: "en",
  title: "Clan XP",
  description: "Clan XP stores experience points (XP) for clan members: awards, ranks, memberships and leaderboards.",
  cleanUrls: true,
  metaChunk: true,
  rewrites: pages,
  head: [
    ["link", { rel: "icon", href: `${BASE}icon.svg` }],
    ["link", { rel: "stylesheet", href: `${BASE}${CODE_STYLE}` }],
  ],
  // Its own way to suppress transitions is an inline style.
  appearance: { disableTransition: false },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
    anchor: { slugify: slugOf },
    codeTransformers: [styleToClass],
    config(md) {
      md.use(tabs);
      // Indented code gets the same frame as other code.
      md.core.ruler.push("indented-code", ({ tokens }) => {
        for (const token of tokens)
          if (token.type === "code_block") Object.assign(token, { type: "fence", tag: "code", info: "text" });
      });
      md.core.ruler.push("repository-links", ({ tokens, env }) => {
        const file = relative(stage, env.realPath ?? env.path);
        for (const { children } of tokens)
          for (const token of children ?? []) if (token.type === "link_open") leadTo(token, file);
      });
      // The pages contain no components, and {{ is text.
      const render = md.renderer.render.bind(md.renderer);
      md.renderer.render = (...given) => `<div v-pre>${render(...given)}</div>`;
    },
  },
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      { text: "Quick start", link: "/quick-start" },
      { text: "API", link: "/reference/api" },
      { text: "Try it", link: "/reference/try-it" },
      { text: version, link: "/source/CHANGELOG" },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local", options: { _render: withKeywords, miniSearch: {} } },
    keywords: Object.fromEntries(keywords.map(({ url, title, words }) => [idOf(url, title), `${title} ${words}`])),
    externalLinkIcon: true,
    ...(editUrl ? { editLink: { pattern: editUrl, text: "Edit this page" } } : {}),
  },
  transformHtml(html) {
    return html
      .replaceAll(/<script id="[\w-]+">([^<]*)<\/script>\s*/g, (_whole, script) => {
        early.add(script);
        return "";
      })
      .replace("</title>", `</title>\n    <script src="${BASE}${EARLY_SCRIPT}"></script>`)
      .replaceAll(/ style="[^"]*"/g, "");
  },
  buildEnd({ outDir }) {
    mkdirSync(outDir, { recursive: true });
    writeFileSync(join(outDir, CODE_STYLE), styleToClass.getCSS());
    writeFileSync(join(outDir, EARLY_SCRIPT), [...early].join("\n"));
  },
};

/** The id of a page's first section in the index of the search. */
function idOf(url, title) {
  return `${BASE}${url.slice(1)}#${slugOf(title)}`;
}

/** What the search indexes: a page, and in its first section its keywords, which nobody sees. */
function withKeywords(source, env, md) {
  const html = md.render(source, env);
  const { keywords: words = "" } = env.frontmatter ?? {};
  return html.replace("</h1>", `</h1><p>${md.utils.escapeHtml(words)}</p>`);
}

/** Pages link to each other as files of the repository do. Source code and folders are served by the API. */
function leadTo(token, file) {
  const href = token.attrGet("href");
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, "");
  const url = urls[target];
  if (url === undefined) throw new Error(`${file} links to ${href}, which the site does not have`);
  token.attrSet("href", anchor === undefined ? url : `${url}#${anchor}`);
  // Without it, VitePress looks for one of its pages.
  if (url.startsWith(BASE)) token.attrSet("target", "_self");
}
