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

test("so does a socket that was closed before the write: its stream says so, and no system call does", async () => {
  const closed = connect({ host: "127.0.0.1", port: 1 })
    .on("error", () => {})
    .destroy();
  const streamError = await new Promise<unknown>((resolve) => closed.write("any", resolve));
  expect(streamError).toMatchObject({ code: "ERR_STREAM_DESTROYED" });
  expect(failureInTransaction(streamError)).toBe("unavailable");
});

test("what cannot be encoded is refused for good", () => {
  expect(failureInTransaction(new RangeError("offset is out of range"))).toBe("refused");
});
