// A body for each endpoint of one clan that takes one: what would be done if it were permitted. A new row of the
// endpoint table does not compile until it is named here.
import type { z } from "zod";
import type { DashboardEndpointName, DashboardEndpoints } from "#contract/dashboard/endpoints.ts";

type Row<Name extends DashboardEndpointName> = DashboardEndpoints[Name];
/** Endpoints of one clan. */
type OfClan = {
  [Name in DashboardEndpointName]: Row<Name>["path"] extends `${string}{clanId}${string}` ? Name : never;
}[DashboardEndpointName];
export type ParamName = Exclude<{ [Name in OfClan]: keyof z.input<Row<Name>["params"]> }[OfClan], "clanId">;
type Bodies = {
  [Name in OfClan as z.input<Row<Name>["body"]> extends undefined ? never : Name]: z.input<Row<Name>["body"]>;
};

/** Of this machine, and nothing listens there. */
export const DISCORD_URL = "http://127.0.0.1:9/api/webhooks/4711/token";
const ranks = [{ name: "Guest", kind: "GUEST", threshold: null, was: null }] as const;
const window = { kind: "weekends", weekends: 1, timeZone: "UTC" } as const;
export const boost = { name: "forged", factor: "2", window, ranks: [], placeIds: [] };
export const reset = { at: new Date(Date.now() + 86_400_000).toISOString(), keepPercent: 0, reason: null };

const rhythm = { every: "day", on: null, at: "00:00", timeZone: "UTC" } as const;
export const board = { boardId: "daily", settleHours: 1, periods: { kind: "rhythm", rhythm, from: null } } as const;
const season = { startsAt: "2026-01-01T00:00:00.000Z", endsAt: "2026-02-01T00:00:00.000Z" };

/** What would be done if it were permitted. */
export const bodies: Bodies = {
  "create-key": { name: "forged", scopes: ["read"], expiresAt: null },
  "invite-person": { name: "forged", role: "viewer" },
  "change-role": { role: "viewer" },
  "change-public-page": { publish: true },
  "hide-player": { hidden: true },
  "limit-key": { requestsPerSecond: 1, amountMax: 1, xpPerDay: 1 },
  "rotate-key": { graceHours: 0 },
  "change-xp": { amount: 5, reason: "forged", changeId: crypto.randomUUID() },
  "import-members": { csv: "platformId,xp\nforged,5\n", name: "forged", dryRun: false },
  "read-import-columns": { head: "platform_id,xp\n" },
  "undo-import": { name: "forged" },
  "appoint-member": { rank: "Officer" },
  "reverse-award": { reason: "forged" },
  "reverse-awards": { match: "forged", reason: "forged" },
  "preview-ranks": { stored: [], ranks: [...ranks] },
  "set-ranks": { stored: [], ranks: [...ranks], confirmed: true },
  "set-auto-clan": { autoClan: false },
  "add-boosts": boost,
  "add-board": { ...board, boardId: "forged", name: "forged" },
  "preview-board": { rhythm, boardId: null },
  "change-board": { name: "forged", settleHours: 1, rhythm },
  "add-season": season,
  "submit-reset": reset,
  "change-clan": { name: "forged" },
  "add-erasure-hook": {},
  "add-destination": { kind: "discord", name: "forged", url: DISCORD_URL, types: ["member.joined"], only: null },
  "change-destination": { name: "forged" },
  "resume-destination": { fromNow: true },
  "rotate-destination": { graceHours: 0 },
  "resend-deliveries": { failed: true },
  "sync-destination": { dryRun: false },
  "reverse-key-awards": { from: "2026-01-01T00:00:00.000Z", reason: "forged" },
};
export const queries: { [Name in OfClan]?: string } = {
  "preview-key-reversal": "?from=2026-01-01T00:00:00.000Z",
  "preview-awards-reversal": "?match=forged",
  "preview-undo-import": "?name=forged",
};
