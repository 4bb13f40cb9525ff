// A list in parts: nothing is lost, repeated or put in another order.
import { expect, test } from "vitest";
import { chunks } from "#async/chunks.ts";

test("chunks contain every item once, in order, and no chunk is empty or larger than its bound", () => {
  const items = ["a", "b", "c", "d", "e", "f", "g"];
  for (let length = 0; length <= items.length; length += 1) {
    for (let size = 1; size <= items.length + 1; size += 1) {
      const list = items.slice(0, length);
      const parts = [...chunks(list, size)];
      expect(parts.flat()).toStrictEqual(list);
      expect(parts.every((part) => part.length > 0 && part.length <= size)).toBe(true);
      expect(parts).toHaveLength(Math.ceil(length / size));
    }
  }
});
