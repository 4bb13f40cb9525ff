import { expect, test } from "vitest";
import { indexedWordsOf, memberNameOf, wordsOf } from "#domain/member-name.ts";

test.each([
  ["  Ada\u0301 ", "Ad\u00e1"],
  ["a b", "a b"],
  ["\u0627\u0644", "\u0627\u0644"],
  ["x".repeat(64), "x".repeat(64)],
  ["x".repeat(65), null],
  ["Ada\t", "Ada"],
  ["\r\nAda\n", "Ada"],
  ["Ada\tB", null],
  ["\u2764\ufe0f", "\u2764\ufe0f"],
  ["\u200b", null],
  ["\u3164\u3164", null],
  ["\u2800 \u200d", null],
  ["", null],
  [" \u3000 ", null],
  ["a\u0000", null],
  ["a\u001f", null],
  ["a\u007fb", null],
  ["a\u009fb", null],
  ["\u202aa", null],
  ["a\u2069", null],
  ["\ud800", null],
])("the name %j is stored as %j", (text, name) => expect(memberNameOf(text)).toBe(name));

test.each([
  ["Zo\u00e9 the_Great 42", ["zoe", "the", "great", "42"]],
  ["\u00c5NGSTR\u00d6M \u00e5ngstrom", ["angstrom"]],
  ["Stra\u00dfe STRASSE", ["strasse"]],
  ["\u039f\u0394\u039f\u03a3 \u03bf\u03b4\u03bf\u03c2", ["\u03bf\u03b4\u03bf\u03c3"]],
  ["\u0141\u00f3d\u017a \u00c6r\u00f8", ["lodz", "aero"]],
  ["\u0131lgaz \u0130zmir", ["ilgaz", "izmir"]],
  ["\u0645\u064f\u062d\u064e\u0645\u064e\u0651\u062f", ["\u0645\u062d\u0645\u062f"]],
  ["\ud835\udcd1\ud835\udcfe\ud835\udcf2\ud835\udcf5\ud835\udced", ["build"]],
  ["Zoe\ud83c\udf89\ud83c\udf8a \u2605Pro\u2605", ["zoe", "\ud83c\udf89", "\ud83c\udf8a", "\u2605", "pro"]],
  ["a\u200bb \u2764\ufe0f", ["ab", "\u2764"]],
  ["___", ["___"]],
  [
    "one two three four five six seven eight nine One",
    ["one", "two", "three", "four", "five", "six", "seven", "eight"],
  ],
  [
    "1\u2b501\ud83c\udf89\u2605\u2b50\u2764\u2606\u2660 Pro",
    ["1", "\u2b50", "\ud83c\udf89", "\u2605", "\u2764", "pro"],
  ],
  ["\u200b", []],
])("the words of %j are %j", (text, words) => expect(wordsOf(text)).toStrictEqual(words));

test.each([
  ["StormNova", ["stormnova", "nova"]],
  ["Fox1826", ["fox1826", "1826"]],
  ["xX_Dragon.99-Slayer_Xx", ["xx", "dragon", "99", "slayer", "x"]],
  ["H2O2", ["h2o2", "2o2", "o2", "2"]],
  ["NASA nova NOVA", ["nasa", "nova"]],
  ["\u00c9lan\u00c9toile", ["elanetoile", "etoile"]],
  [
    "\u0441\u0435\u0432\u0435\u0440\u041d\u043e\u0432\u0430",
    ["\u0441\u0435\u0432\u0435\u0440\u043d\u043e\u0432\u0430", "\u043d\u043e\u0432\u0430"],
  ],
  ["\u0939\u093f5", ["\u0939\u093f5", "5"]],
  ["1a".repeat(30), ["1a".repeat(30), ...Array.from({ length: 8 }, (_, n) => "1a".repeat(30).slice(n + 1))]],
])("%j is found by %j, from their beginning", (name, words) => expect(indexedWordsOf(name)).toStrictEqual(words));
