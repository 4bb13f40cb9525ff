// What the site shows where it has no page.
import { withBase } from "vitepress";
import { h } from "vue";

export function NotFound() {
  return h("main", { class: "not-found" }, [
    h("h1", "No page here"),
    h("p", [
      "Search for it with the field above, or look through ",
      h("a", { href: withBase("/README") }, "All pages"),
      ".",
    ]),
  ]);
}
