// Ports: a start must not be given one that another start has been promised, though nobody listens there yet.
import { expect, test } from "vitest";
import { freePort } from "../../scripts/services/ports.js";

test("a reserved port is not reserved again", async () => {
  const port = await freePort();
  expect(await freePort(port)).not.toBe(port);
});

test("many concurrent reservations are all different", async () => {
  const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
