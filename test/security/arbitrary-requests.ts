// Requests drawn from the endpoint table, whole and spoilt: bodies, ids, headers, methods, and the bytes themselves.
import fc from "fast-check";
import { endpointNames, endpoints, NoBody, type Endpoint } from "#contract/endpoints.ts";
import { requestText } from "../support/raw-http.ts";
import { jsonText, loadedTexts, platformIds, spoiltJson, valuesOf } from "./arbitrary-values.ts";

/** `ours` may do everything in the clan; the others may do less or nothing. */
export type Keys = Record<"ours" | "reader" | "foreign" | "revoked", string>;
export type DrawnRequest = { method: string; target: string; headers: [string, string][]; body: string };

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

export function requestsTo(clanId: string, foreignClanId: string, keys: Keys): fc.Arbitrary<DrawnRequest> {
  return fc.oneof(...endpointNames.map((name) => requestsOf(endpoints[name], { clanId, foreignClanId, keys })));
}

function requestsOf(
  endpoint: Endpoint,
  world: { clanId: string; foreignClanId: string; keys: Keys },
): fc.Arbitrary<DrawnRequest> {
  const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
    fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const hasBody = endpoint.body !== NoBody;
  const values = hasBody ? valuesOf(endpoint.body) : fc.constant(undefined);
  return fc
    .record({
      method: mostly(fc.constant<string>(endpoint.method), fc.constantFrom(...METHODS)),
      clan: mostly(fc.constant(world.clanId), fc.oneof(fc.constant(world.foreignClanId), segments)),
      platformId: mostly(platformIds, segments),
      batchId: mostly(fc.constant("bat_0"), segments),
      query: mostly(fc.constant(""), queries),
      tail: mostly(fc.constant(""), fc.constantFrom("/", "//", "/x", "/..", "/%2e", ";a=b", "#f", "?", "%00")),
      body: hasBody
        ? mostly(values.map(jsonText), fc.oneof(spoiltJson(values), spoiltBytes(values.map(jsonText))))
        : fc.constant(""),
      key: mostly(fc.constant(`Bearer ${world.keys.ours}`), authorizations(world.keys)),
      contentType: mostly(fc.constant("application/json"), contentTypes),
      headers: fc.array(oddHeaders, { maxLength: 2 }),
    })
    .map(({ method, clan, platformId, batchId, query, tail, body, key, contentType, headers }) => {
      const path = endpoint.path
        .replace("{clanId}", clan)
        .replace("{platformId}", platformId)
        .replace("{batchId}", batchId)
        .replace("{reversalId}", batchId);
      const all: [string, string][] = [["Prefer", "respond-async"], ...headers];
      if (key !== "") all.push(["Authorization", key]);
      if (body !== "") all.push(["Content-Type", contentType]);
      return { method, target: path + tail + query, headers: all, body };
    });
}

/**
 * Of a path: what URL rules fold, what cannot be decoded, what means something elsewhere. No bytes that end a request
 * line.
 */
const segments = fc.oneof(
  loadedTexts.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom("%zz", "%", "%00", "%C3%28", "%0d%0aX-Injected:%201", "..", ".", "%2e%2e", "a%2Fb"),
  fc.constantFrom("{x}", "$ne", "[$gt]", "x".repeat(65), "\\"),
);

const queries = fc.oneof(
  fc.constantFrom("?include=change", "?limit=2", "?limit=0", "?limit=-1", "?limit=1e1"),
  fc.constantFrom("?sort=xp&sort=xp", "?sort[$ne]=xp", "?cursor=", "?__proto__=x"),
  fc
    .tuple(loadedTexts, loadedTexts)
    .map(([name, value]) => `?${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`),
  fc.base64String({ maxLength: 60 }).map((text) => `?cursor=${text}`),
  fc
    .jsonValue({ maxDepth: 1 })
    .map((position) => `?cursor=${Buffer.from(JSON.stringify(position)).toString("base64url")}`),
);

function authorizations(keys: Keys): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...Object.values(keys).map((key) => `Bearer ${key}`)) },
    fc.constantFrom("", "Bearer", "Bearer x", "Basic eDp5", `Bearer ${keys.ours.slice(0, -1)}`),
    headerTexts,
  );
}

/** What a header may contain: anything except line ends and NUL. */
const headerTexts = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

const contentTypes = fc.oneof(
  fc.constantFrom("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""),
  fc.constantFrom("application/json; charset=utf-8", "application/json;charset=utf-16", "application/jsonp"),
  fc.constantFrom("application/json;".repeat(50), `application/json;${" ".repeat(500)}`),
);

const strangeNames = ["__proto__", "constructor", "X-HTTP-Method-Override", "X-Forwarded-For", "Range", "Cookie"];
const oddHeaders: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(fc.constant("Idempotency-Key"), headerTexts),
  {
    // Few keys, often: so that they are also reused.
    weight: 4,
    arbitrary: fc.tuple(
      fc.constant("Idempotency-Key"),
      fc.constantFrom("k1", "k2", '"k1"', '"k\\"3"', "", '"', "k 4", "__proto__", "$ne", "{k}:5"),
    ),
  },
  fc.tuple(fc.constant("api-key"), headerTexts),
  fc.tuple(
    fc.constant("Prefer"),
    fc.constantFrom("wait=0", "wait=-1", 'wait="0"', "return=minimal", "wait=0, wait=30", ",,;="),
  ),
  fc.tuple(fc.constant("Content-Encoding"), fc.constantFrom("gzip", "identity", "br, gzip")),
  fc.tuple(fc.constantFrom(...strangeNames, "If-None-Match"), headerTexts),
  fc.tuple(fc.constant("Connection"), fc.constantFrom("close", "Upgrade", "keep-alive, Authorization")),
);

/** Cut, flipped, filled in between. */
function spoiltBytes(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.nat(200), loadedTexts, fc.constantFrom("cut", "insert", "double"))
    .map(([text, at, filling, how]) => {
      const index = Math.min(at, text.length);
      if (how === "cut") return text.slice(0, index);
      return how === "double" ? text + text : text.slice(0, index) + filling + text.slice(index);
    });
}

/** The bytes of a request, garbled: what comes out need be no HTTP any more. */
export function garbledRequests(requests: fc.Arbitrary<DrawnRequest>): fc.Arbitrary<Buffer> {
  const garbling = fc.record({
    how: fc.constantFrom("cut", "flip", "insert", "drop", "lf"),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
  });
  return fc
    .tuple(requests, fc.array(garbling, { minLength: 1, maxLength: 3 }))
    .map(([request, garblings]) =>
      garblings.reduce<Buffer>(
        (sofar, { how, at, bytes }) => garble(sofar, how, Math.floor(at * sofar.length), bytes),
        Buffer.from(textOf(request)),
      ),
    );
}

export function textOf({ method, target, headers, body }: DrawnRequest): string {
  return requestText(method, target, headers, body);
}

function garble(bytes: Buffer, how: string, at: number, filling: Uint8Array): Buffer {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (how) {
    case "cut":
      return Buffer.from(before);
    case "flip":
      return Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ (filling[0] ?? 1) : byte)));
    case "insert":
      return Buffer.concat([before, filling, after]);
    case "drop":
      return Buffer.concat([before, after.subarray(filling.length)]);
    default:
      return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  }
}
