// For whom a change failed, and why.
import { errorText } from "../../parts/error-texts.ts";
import { memberText } from "../../parts/member-text.ts";
import { numberText } from "../../parts/numbers.ts";
import type { Failure } from "./use-each-member.ts";

/** The others have the same reasons in most cases. */
const LISTED_MAX = 20;

/** `left`: the members for whom it is not made yet, including those that were not tried. */
export function Failures({ failures, left }: { failures: readonly Failure[]; left: number }) {
  if (failures.length === 0) return null;
  const others = left - Math.min(failures.length, LISTED_MAX);
  return (
    <div role="alert" className="rounded-xl bg-danger-soft p-4 text-danger-ink">
      <p className="font-medium">
        It is not done for {left === 1 ? "1 member, who stays" : `${numberText(left)} members, who stay`} selected.
      </p>
      <ul className="mt-1 grid gap-1 text-sm wrap-anywhere">
        {failures.slice(0, LISTED_MAX).map(({ member, error }) => (
          <li key={member.platformId}>
            <span className="font-medium">{memberText(member)}</span>: {errorText(error)}
          </li>
        ))}
        {others > 0 ? <li>And {numberText(others)} more.</li> : null}
      </ul>
    </div>
  );
}
