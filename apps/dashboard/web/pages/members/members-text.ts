// Some members in a sentence or a title: one by name, several by their number.
import type { NamedMember } from "../../parts/member-name.tsx";
import { memberText } from "../../parts/member-text.ts";
import { numberText } from "../../parts/numbers.ts";

export function membersText(members: readonly NamedMember[]): string {
  const [first] = members;
  return first && members.length === 1 ? memberText(first) : `${numberText(members.length)} members`;
}
