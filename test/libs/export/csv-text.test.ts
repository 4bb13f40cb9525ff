// Texts that callers chose, in files that people open with spreadsheets and import again.
import { Readable } from "node:stream";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvText } from "#export/csv-text.ts";
import { escapeFormula, unescapeFormula } from "#export/escape-formula.ts";
import { readImport } from "#import/read-import.ts";
import { chanceOf } from "../../support/chance.ts";
import { seedOfRun } from "../../support/seed.ts";

const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const HOSTILE = [
  "=1+1",
  " =1+1",
  "\u00a0@a",
  "\n=1+1",
  "\r\n=1",
  "x;=1+1",
  "a;-2+3+cmd|' /C calc'!A0;b",
  "a\t=1",
  ";;\t +1",
  "\uff1d1+1",
  "\uff0b1",
  "\uff0d1",
  "\uff20a",
  "'=1",
  "''",
  "\t",
  "\rx",
  'a";=1',
];

test.each(HOSTILE)("no spreadsheet finds a formula in %j, wherever it splits the line", (reason) => {
  const line = csvText("standings", [{ position: 1, platform_id: "p", name: reason, xp: "-5" }], false);
  const [row = []]: string[][] = parse(line);
  expect(row).toStrictEqual(["1", "p", escapeFormula(reason), "-5", ""]);
  const cell = String(row[2]);
  for (const part of cell.split(/[;\t\r\n]/)) expect(part).not.toMatch(FORMULA);
  expect(cell).not.toMatch(/^[\t\r]/);
});

test("whatever text is exported, the import reads the same", async () => {
  const chance = chanceOf(seedOfRun());
  const parts = [...HOSTILE, "'", ";", "\t", "\n", " ", "=", "x", ",", '"', "\u3000", "\ufeff"];
  for (let round = 0; round < 2_000; round += 1) {
    const text = Array.from({ length: chance.int(1, 6) }, () => chance.pick(parts)).join("");
    expect(unescapeFormula(escapeFormula(text))).toBe(text);
  }
  const ids = ["-1", "@m", "a", ":", "||-"];
  const file = csvText(
    "members",
    ids.map((platformId) => ({ platformId, xp: "5", name: `x;=${platformId}` })),
    true,
  );
  const read: unknown[] = [];
  const options = { path: "members.csv", format: null, map: null } as const;
  for await (const line of readImport(Readable.from([Buffer.from(`\uFEFF${file}`)]), options)) read.push(line);
  expect(read).toMatchObject(ids.map((platformId) => ({ platformId, name: `x;=${platformId}` })));
});
