// A member's position in the leaderboard.
import type { MemberResponse } from "#contract/member.ts";
import { numberText } from "./numbers.ts";

export function PositionText({ position }: { position: MemberResponse["position"] }) {
  if (!position) return <span className="text-muted">none</span>;
  return `${position.approximate ? "about " : ""}${numberText(position.value)}`;
}
