// When the XP that was counted for awards is refunded: whatever fails, a budget is never too large.
import { expect, test } from "vitest";
import { AppError } from "#kernel/app-error.ts";
import { refundOnFailure } from "#keys/refund-on-failure.ts";

test.each([
  ["before they are submitted, with any error", { maySubmit: false }, new Error("a mistake"), [0, 1, 2]],
  [
    "before they are submitted, with an award of an earlier request unknown",
    {},
    new AppError("outcome_unknown", ""),
    [0, 1, 2],
  ],
  ["when nothing was applied", { maySubmit: true }, new AppError("unavailable", ""), [0, 1, 2]],
  ["but not when the outcome is unknown", { maySubmit: true }, new AppError("outcome_unknown", ""), null],
  ["but not for any other error", { maySubmit: true }, new Error("a mistake"), null],
])("a failure gives back all awards of a claim %s", async (_, options, error, expected) => {
  let refunded: readonly number[] | null = null;
  const claim = {
    rejections: [null, "too large", null],
    refund: async (indexes: readonly number[]) => void (refunded = indexes),
  };
  await expect(refundOnFailure(claim, () => Promise.reject(error), options)).rejects.toBe(error);
  expect(refunded).toStrictEqual(expected);
  await expect(refundOnFailure(null, () => Promise.reject(error), options)).rejects.toBe(error);
});
