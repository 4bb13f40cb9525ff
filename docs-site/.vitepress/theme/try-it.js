// Swagger UI on the page that has a place for it. It sends requests to the origin of the page alone, and keeps the API
// key in memory: leaving or reloading the page forgets it. Fields begin with values that work with `npm start`.
import { version } from "swagger-ui-dist/package.json";
import { withBase } from "vitepress";

/** As scripts/docs-site/build.ts names its script and its style sheet. */
const FILES = withBase(`/assets/swagger-ui-${version}`);

/** With its key, an award that is sent again counts once. Each load of the page has another key. */
const FIRST_VALUES = { clanId: "demo", platformId: "player-1", "Idempotency-Key": `try-it-${Date.now().toString(36)}` };

export async function showTryIt() {
  const place = document.getElementById("try-it");
  if (!place || place.hasChildNodes()) return;
  // Before the site's own styles, which win.
  const [spec] = await Promise.all([
    fetch(withBase("/openapi.json")).then((response) => response.json()),
    load("link", { rel: "stylesheet", href: `${FILES}.css` }),
    load("script", { src: `${FILES}.js` }),
  ]);
  window.SwaggerUIBundle({
    domNode: place,
    spec: withFirstValues(spec),
    // Otherwise it sends the document to a host of its own.
    validatorUrl: null,
    persistAuthorization: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
  });
}

function withFirstValues(spec) {
  for (const operation of Object.values(spec.paths).flatMap((methods) => Object.values(methods)))
    for (const parameter of operation.parameters ?? [])
      if (parameter.name in FIRST_VALUES) parameter.example = FIRST_VALUES[parameter.name];
  return spec;
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
