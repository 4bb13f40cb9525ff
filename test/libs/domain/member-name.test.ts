import { expect, test } from "vitest";
import { memberNameOf, wordsOf } from "#domain/member-name.ts";

test.each([
  ["  Ada\u0301 ", "Ad\u00e1"],
  ["a b", "a b"],
  ["\u0627\u0644", "\u0627\u0644"],
  ["x".repeat(64), "x".repeat(64)],
  ["x".repeat(65), null],
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
  ["\ud83c\udf89", []],
])("the words of %j are %j", (text, words) => expect(wordsOf(text)).toStrictEqual(words));
