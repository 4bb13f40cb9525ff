// Tables of the command line, whatever their cells contain.
import { expect, test } from "vitest";
import { table } from "../../../apps/cli/show/text.ts";

test("a name that is written from right to left does not turn its line, and its column stays aligned", () => {
  const rows = ["שלום 5", "Builderman 7"].map((row) => row.split(" "));
  const lines = table(["Name", "XP"], rows).split("\n");
  expect(lines).toEqual(["Name        XP", "\u2068שלום\u2069        5", "Builderman  7"]);
});
