// How far a member is on the way from their rank to the next one.
import { numberText } from "../../parts/numbers.ts";

type Props = { xp: string; xpToNextRank: string; rankFrom: string; nextRank: string };

/** `rankFrom`: the threshold of the member's rank. */
export function RankProgress({ xp, xpToNextRank, rankFrom, nextRank }: Props) {
  const [done, length] = [BigInt(xp) - BigInt(rankFrom), BigInt(xp) + BigInt(xpToNextRank) - BigInt(rankFrom)];
  const percent = length <= 0n || done <= 0n ? 0 : Math.min(100, Number((done * 100n) / length));
  return (
    <span
      role="progressbar"
      aria-label={`Progress to ${nextRank}`}
      aria-valuenow={percent}
      aria-valuetext={`${percent} %, ${numberText(xpToNextRank)} XP are missing`}
      className="mt-1.5 block h-2 rounded-full bg-sunken"
    >
      <span className="block h-2 rounded-full bg-accent-ink" style={{ width: `${percent}%` }} />
    </span>
  );
}
