// The names of members, where people read the output: a script or a file gets their ids alone.
import type { MemberRef } from "#domain/member-id.ts";
import type { Cli } from "../cli.ts";
import type { ShownNames } from "../show/names.ts";

export async function shownNames(cli: Cli, clanId: string, platformIds: readonly string[]): Promise<ShownNames> {
  if (!cli.format.isTerminal || cli.isJson || platformIds.length === 0) return new Map();
  const { names } = await cli.servers.stores();
  return names.read(clanId, [...new Set(platformIds)]);
}

/** Of one member, for memberResult. */
export async function shownNameOf(cli: Cli, { clanId, platformId }: MemberRef): Promise<{ shownName?: string }> {
  const shownName = (await shownNames(cli, clanId, [platformId])).get(platformId);
  return shownName === undefined ? {} : { shownName };
}
