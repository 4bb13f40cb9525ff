// Ports: a start must not be given one that another start has been promised, though nobody listens there yet. And where
// what listens on one is reached.
import { expect, test } from "vitest";
import { freePort } from "../../scripts/services/ports.js";
import { urlOf } from "../../scripts/supervise/url-of.js";

test("a reserved port is not reserved again", async () => {
  const port = await freePort();
  expect(await freePort(port)).not.toBe(port);
});

test("many concurrent reservations are all different", async () => {
  const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:8080"],
  ["0.0.0.0", "http://127.0.0.1:8080"],
  ["::", "http://127.0.0.1:8080"],
  ["::1", "http://[::1]:8080"],
  // Also where it is ::1.
  ["localhost", "http://localhost:8080"],
])("what listens on %s is reached at %s", (host, url) => {
  expect(urlOf(host, 8080)).toBe(url);
});
