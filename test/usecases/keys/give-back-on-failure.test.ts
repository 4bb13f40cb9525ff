// When the XP that was counted for awards is given back: whatever fails, a budget is never too large.
import { expect, test } from "vitest";
import { AppError } from "#domain/app-error.ts";
import { giveBackOnFailure } from "#usecases/keys/give-back-on-failure.ts";

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
  let given: readonly number[] | null = null;
  const claim = {
    refusals: [null, "too large", null],
    giveBack: async (indexes: readonly number[]) => void (given = indexes),
  };
  await expect(giveBackOnFailure(claim, () => Promise.reject(error), options)).rejects.toBe(error);
  expect(given).toStrictEqual(expected);
  await expect(giveBackOnFailure(null, () => Promise.reject(error), options)).rejects.toBe(error);
});
