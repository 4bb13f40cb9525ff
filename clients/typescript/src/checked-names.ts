// The names of a call of `setNames()`, checked.
import { check, checkInteger, checkObject, checkOptions, checkPlatformId, checkText } from "./check.ts";
import { nameFields } from "./option-names.ts";
import type { CallOptions, NamedMember } from "./types.ts";

/** The API's limit for one call. */
const NAMES_MAX = 100;

export function checkedNames(names: NamedMember[], options: CallOptions): NamedMember[] {
  checkOptions(options);
  check(Array.isArray(names), "names must be an array");
  checkInteger("the number of names", names.length, 1, NAMES_MAX);
  for (const named of names) {
    checkObject("each of the names", named, nameFields);
    checkPlatformId(named.platformId);
    if (named.name !== null) checkText("name", named.name);
  }
  return names.map(({ platformId, name }) => ({ platformId, name }));
}
