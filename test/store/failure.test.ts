// What failures mean that no server can be made to cause at will.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { failureInTransaction, orUnavailable } from "#store/failure.ts";

/** A socket's error as Node makes it: nobody listens on this port. */
const socketError = await new Promise<Error>((resolve) => connect({ host: "127.0.0.1", port: 1 }).once("error", resolve));

test("a socket that breaks while a large write waits for it means that MongoDB is away, and nothing was written", async () => {
  expect(failureInTransaction(socketError)).toBe("unavailable");
  await expect(orUnavailable(() => Promise.reject(socketError))).rejects.toMatchObject({ code: "unavailable" });
});

test("what cannot be encoded is refused for good", () => {
  expect(failureInTransaction(new RangeError("offset is out of range"))).toBe("refused");
});
