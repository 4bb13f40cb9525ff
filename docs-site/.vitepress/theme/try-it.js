// Swagger UI on the page that has a place for it. It sends requests to the origin of the page alone, and keeps the API
// key in memory: leaving or reloading the page forgets it. Fields begin with values that work with `npm start`.
import { version } from "swagger-ui-dist/package.json";
import { withBase } from "vitepress";

/** As scripts/docs-site/build.ts names its script and its style sheet. */
const FILES = withBase(`/assets/swagger-ui-${version}`);

const KEY_HEADER = "Idempotency-Key";
/** Each load of the page has another key. */
const KEY = `try-it-${Date.now().toString(36)}`;
const FIRST_VALUES = { clanId: "demo", platformId: "player-1", [KEY_HEADER]: KEY };

export async function showTryIt() {
  const place = document.getElementById("try-it");
  if (!place || place.querySelector(".swagger-ui")) return;
  // Before the site's own styles, which win.
  const [spec] = await Promise.all([
    fetch(withBase("/openapi.json")).then((response) => response.json()),
    load("link", { rel: "stylesheet", href: `${FILES}.css` }),
    load("script", { src: `${FILES}.js` }),
  ]);
  window.SwaggerUIBundle({
    domNode: place,
    spec: withFirstValues(withOneScheme(spec)),
    requestInterceptor: makeKeyPerAward(),
    // Otherwise it sends the document to a host of its own.
    validatorUrl: null,
    persistAuthorization: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: -1,
  });
}

/** The API also accepts the key in another header, which nobody needs here. */
function withOneScheme(spec) {
  const { bearer } = spec.components.securitySchemes;
  const components = { ...spec.components, securitySchemes: { bearer } };
  return { ...spec, components, security: [{ bearer: [] }] };
}

/**
 * An award that is sent again keeps its key, and counts once. After an edit it is another award, and the page's own key
 * gets another number, because a key belongs to one award.
 */
function makeKeyPerAward() {
  let [sent, number] = [null, 0];
  return (request) => {
    if (request.headers?.[KEY_HEADER] !== KEY) return request;
    const award = `${request.url} ${request.body}`;
    if (sent !== null && award !== sent) number += 1;
    sent = award;
    if (number > 0) request.headers[KEY_HEADER] = `${KEY}-${number}`;
    return request;
  };
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
