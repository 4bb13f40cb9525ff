// A filter for the records of one clan, or of all clans (null).

export function ofClan({ clanId }: { clanId: string | null }): { clanId?: string } {
  return clanId === null ? {} : { clanId };
}
