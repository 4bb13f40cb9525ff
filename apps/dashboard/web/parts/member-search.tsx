// The search of a list of members, by player ID or name.
import { MEMBER_NAME_CHARS_MAX } from "#domain/member-name.ts";
import { SearchField } from "./search-field.tsx";

type Props = { value: string; onChange(text: string): void };

export function MemberSearch(props: Props) {
  const label = "Search members";
  return <SearchField {...props} label={label} placeholder={label} maxLength={MEMBER_NAME_CHARS_MAX} />;
}
