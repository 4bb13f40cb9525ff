import { expect, test } from "vitest";
import { isName, isPlainText } from "#domain/bounds.ts";

test.each(["", " ", "\u200b", "\u2800", "\u3164\uffa0", "\u00ad\u2060", "a\n", "\ud800"])(
  "%j names nothing: nothing of it can be seen, or it breaks a line",
  (text) => expect([isName(text), isPlainText(text)]).toStrictEqual([false, false]),
);

test.each(["a", " a ", "\u0645\u200c\u062f", "\u2764\ufe0f", "\u30e9\u30f3\u30af"])("%j is a name", (text) =>
  expect([isName(text), isPlainText(text)]).toStrictEqual([true, true]),
);
