// A member in a sentence, a title or a message.
import type { NamedMember } from "./member-name.tsx";

/** Isolates text that is written from right to left from the sentence around it. */
const [ISOLATE, END] = ["\u2068", "\u2069"];
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function memberText({ platformId, name }: NamedMember): string {
  if (name === null) return platformId;
  return `${RIGHT_TO_LEFT.test(name) ? `${ISOLATE}${name}${END}` : name} (${platformId})`;
}
