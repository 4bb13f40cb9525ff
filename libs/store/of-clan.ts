// A filter for the records of one clan, or (null) of all of them.

export function ofClan({ clanId }: { clanId: string | null }): { clanId?: string } {
  return clanId === null ? {} : { clanId };
}
