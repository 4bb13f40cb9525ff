// Swagger UI on the page that has a place for it. It sends requests to the origin of the page alone, and keeps the API
// key in memory: leaving or reloading the page forgets it.
import { version } from "swagger-ui-dist/package.json";
import { withBase } from "vitepress";

/** As scripts/docs-site/build.ts names them. */
const scriptUrl = withBase(`/assets/swagger-ui-${version}.js`);
const styleUrl = withBase(`/assets/swagger-ui-${version}.css`);

export async function showTryIt() {
  const place = document.getElementById("try-it");
  if (!place || place.hasChildNodes()) return;
  loadStyle();
  const { default: SwaggerUI } = await import(/* @vite-ignore */ scriptUrl);
  SwaggerUI({
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

function loadStyle() {
  if (document.querySelector(`link[href="${styleUrl}"]`)) return;
  // Before the site's own styles, which win.
  document.head.prepend(Object.assign(document.createElement("link"), { rel: "stylesheet", href: styleUrl }));
}
