// Makes a change for each of some members, one after the other. Those for whom it failed are left, and another attempt
// is made for them alone.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import type { NamedMember } from "../../parts/member-name.tsx";

export type Failure = { member: NamedMember; error: Error };

type Options<Member extends NamedMember, Values, Result> = {
  members: readonly Member[];
  change(member: Member, values: Values): Promise<Result>;
  /** Once it is made for all of them; `results`: of all attempts. */
  onAll(results: readonly Result[]): void;
  onDone?: ((platformId: string) => void) | undefined;
  onSettled(): Promise<void>;
};

/** `left`: for whom it is not made yet. `failures`: of the last attempt, if there are several members. */
export function useEachMember<Member extends NamedMember, Values = void, Result = unknown>(
  options: Options<Member, Values, Result>,
) {
  const { members, change, onAll, onDone, onSettled } = options;
  const [left, setLeft] = useState(members);
  const results = useRef<Result[]>([]);
  const request = useMutation<void, Error, Values>({
    async mutationFn(values) {
      const failures: Failure[] = [];
      let remaining = left;
      for (const member of left) {
        try {
          results.current.push(await change(member, values));
          remaining = remaining.filter((one) => one !== member);
          onDone?.(member.platformId);
        } catch (error) {
          failures.push({ member, error: error as Error });
          if (!isAboutMember(error)) break;
        }
      }
      const [first] = failures;
      if (!first) return;
      setLeft(remaining);
      // With the session, everything ends.
      if (members.length === 1 || isSignedOut(first.error)) throw first.error;
      throw new NotForAll(failures);
    },
    onSuccess: () => onAll(results.current),
    onSettled,
  });
  const { error, isPending, reset, mutate } = request;
  const failures = error instanceof NotForAll ? error.failures : [];
  return { left, failures, error: failures.length > 0 ? null : error, isPending, reset, mutate };
}

class NotForAll extends Error {
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super("not made for all members");
    this.name = "NotForAll";
    this.failures = failures;
  }
}

/** Any other failure would be the same for the next member. */
function isAboutMember(error: unknown): boolean {
  return error instanceof ApiError && ["conflict", "invalid_request", "not_found"].includes(error.code);
}

function isSignedOut(error: Error): boolean {
  return error instanceof ApiError && error.code === "signed_out";
}
