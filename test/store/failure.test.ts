// What failures mean that no server can be made to cause at will.
import { connect } from "node:net";
import { expect, test } from "vitest";
import mongoose from "mongoose";
import { failureInTransaction, orUnavailable, orUnknown } from "#store/failure.ts";

const { MongoServerError, MongoWriteConcernError } = mongoose.mongo;

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

test("a write that an election or a shutdown interrupted may stand or not; one that the server refused to begin does not", async () => {
  const interrupted = { code: 11602, codeName: "InterruptedDueToReplStateChange", errmsg: "operation was interrupted" };
  const codes: [Error, string][] = [
    [new MongoWriteConcernError({ ok: 1, n: 1, writeConcernError: interrupted }), "outcome_unknown"],
    [new MongoServerError({ ok: 0, ...interrupted }), "outcome_unknown"],
    [new MongoServerError({ ok: 0, code: 10107, errmsg: "not primary" }), "unavailable"],
  ];
  for (const [error, code] of codes) await expect(orUnknown(() => Promise.reject(error))).rejects.toMatchObject({ code });
});

test("what cannot be encoded is refused for good", () => {
  expect(failureInTransaction(new RangeError("offset is out of range"))).toBe("refused");
});
