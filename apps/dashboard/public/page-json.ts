// A public page as JSON: exactly these fields.
import type { PublicClan, PublicPeriod } from "#public-pages/read-public-page.ts";

export function publicJson(shown: PublicClan | PublicPeriod): object {
  const asOf = shown.asOf.toISOString();
  if (shown.kind === "clan") {
    const { clan, boards } = shown;
    const ranks = clan.ranks.map(({ name, members }) => ({ name, members }));
    const members = shown.members.map(({ position, name, xp, rank }) => ({ position, name, xp: String(xp), rank }));
    return { clan: { name: clan.name, members: clan.members, xp: String(clan.xp), ranks }, members, boards, asOf };
  }
  const { clan, board, period } = shown;
  const members = shown.members.map(({ position, previousPosition, name, xp }) => {
    return { position, previousPosition, name, xp: String(xp) };
  });
  return { clan, board, period: period && periodJson(period), members, asOf };
}

function periodJson({ periodId, startsAt, endsAt, status, members }: NonNullable<PublicPeriod["period"]>): object {
  return { periodId, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), status, members };
}
