// Swagger UI on the page that has a place for it. It sends requests to the origin of the page alone, and keeps the API
// key in memory: leaving or reloading the page forgets it.
import { version } from "swagger-ui-dist/package.json";
import { withBase } from "vitepress";

/** As scripts/docs-site/build.ts names its script and its style sheet. */
const FILES = withBase(`/assets/swagger-ui-${version}`);

export async function showTryIt() {
  const place = document.getElementById("try-it");
  if (!place || place.hasChildNodes()) return;
  // Before the site's own styles, which win.
  await Promise.all([
    load("link", { rel: "stylesheet", href: `${FILES}.css` }),
    load("script", { src: `${FILES}.js` }),
  ]);
  window.SwaggerUIBundle({
    domNode: place,
    url: withBase("/openapi.json"),
    // Otherwise it sends the document to a host of its own.
    validatorUrl: null,
    persistAuthorization: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
  });
}

/** Resolves when the file is loaded, which it is once. */
function load(tag, attributes) {
  return new Promise((resolve, reject) => {
    if (document.querySelector(`${tag}[data-of="try-it"]`)) return resolve();
    const element = Object.assign(document.createElement(tag), attributes, { onload: resolve, onerror: reject });
    element.dataset.of = "try-it";
    document.head.prepend(element);
  });
}
