// What failures mean that no server can be made to cause at will.
import { connect } from "node:net";
import { expect, test } from "vitest";
import { MongoServerError, MongoWriteConcernError } from "mongodb";
import { orUnavailable, write } from "#mongo/mongo-calls.ts";
import { failureOfDocument, failureOfInsert } from "#mongo/mongo-errors.ts";

/** A socket's error as Node makes it: nobody listens on this port. */
const socketError = await new Promise<Error>((resolve) =>
  connect({ host: "127.0.0.1", port: 1 }).once("error", resolve),
);

test("a broken socket means that MongoDB is unavailable, and that an insert may have been written", async () => {
  expect(failureOfInsert(socketError)).toBe("unknown");
  await expect(orUnavailable(() => Promise.reject(socketError))).rejects.toMatchObject({ code: "unavailable" });
});

test("a socket that was closed before, which only its stream reports, means that MongoDB is unavailable", async () => {
  const closed = connect({ host: "127.0.0.1", port: 1 })
    .on("error", () => {})
    .destroy();
  const streamError = await new Promise<unknown>((resolve) => closed.write("any", resolve));
  expect(streamError).toMatchObject({ code: "ERR_STREAM_DESTROYED" });
  expect(failureOfInsert(streamError)).toBe("unknown");
});

test("an interrupted write may be stored or not, but one that the server rejected before it began is not", async () => {
  const interrupted = { code: 11602, codeName: "InterruptedDueToReplStateChange", errmsg: "operation was interrupted" };
  expect(failureOfInsert(new MongoServerError({ ok: 0, ...interrupted }))).toBe("unknown");
  expect(failureOfInsert(new MongoWriteConcernError({ ok: 1, n: 1, writeConcernError: interrupted }))).toBe("unknown");
  expect(failureOfInsert(new MongoServerError({ ok: 0, code: 10107, errmsg: "not primary" }))).toBe("unavailable");
  const codes: [Error, string][] = [
    [new MongoWriteConcernError({ ok: 1, n: 1, writeConcernError: interrupted }), "outcome_unknown"],
    [new MongoServerError({ ok: 0, ...interrupted }), "outcome_unknown"],
    [new MongoServerError({ ok: 0, code: 10107, errmsg: "not primary" }), "unavailable"],
  ];
  for (const [error, code] of codes) await expect(write(() => Promise.reject(error))).rejects.toMatchObject({ code });
});

test("a document that cannot be encoded is rejected permanently", () => {
  expect(failureOfInsert(new RangeError("offset is out of range"))).toBe("rejected");
});

test("the error of an entry shows whether it conflicted or can never be stored; all others leave that unknown", () => {
  const unknown = [6, 7, 89, 91, 189, 9001, 10107, 11602, 14031, 64, undefined];
  expect(unknown.map(failureOfDocument)).toStrictEqual(unknown.map(() => "unknown"));
  expect([11000, 112].map(failureOfDocument)).toStrictEqual(["conflict", "conflict"]);
  expect([2, 9, 22, 121, 10334, 17280, 17419, 17420].map(failureOfDocument)).toStrictEqual(
    Array.from({ length: 8 }, () => "rejected"),
  );
});

test("a write whose response a router lost may be stored, whatever kind of write it is", async () => {
  for (const code of [6, 7, 89, 202, 384, 9001]) {
    const error = new MongoServerError({ ok: 0, code, errmsg: "Write results unavailable from shard" });
    expect(failureOfInsert(error)).toBe("unknown");
    await expect(write(() => Promise.reject(error))).rejects.toMatchObject({ code: "outcome_unknown" });
  }
});
