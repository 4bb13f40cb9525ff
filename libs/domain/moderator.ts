// What a moderator of a clan may do: give and take XP within the owner's two bounds, and reverse what they gave.
import type { Actor } from "#domain/audit.ts";

/** `xpPerDay`: what one moderator gives and takes in a UTC day, both counted as positive. */
export type ModeratorBounds = { xpPerAward: number; xpPerDay: number };

/** A mistake or a misuse within them is small enough to be noticed and reversed. */
const DEFAULTS: ModeratorBounds = { xpPerAward: 1_000, xpPerDay: 10_000 };

export function moderatorBoundsOf({ moderatorBounds }: { moderatorBounds?: ModeratorBounds }): ModeratorBounds {
  return moderatorBounds ?? DEFAULTS;
}

/** Names the budget of a moderator among those of API keys, whose ids have no colon. */
export function moderatorBudgetId(clanId: string, name: string): string {
  return `${MODERATORS_OF}${clanId}/${name}`;
}

/** Begins the ids of the budgets of all moderators, and goes on with their clan. */
export const MODERATORS_OF = "moderator:";

const DASHBOARD: Actor["via"] = "dashboard";

/** The person who made this entry in the dashboard, if there is one. Only there, an actor is an account. */
export function giverOf({ actor, keyId }: { actor?: string | undefined; keyId: string }): string | null {
  return keyId === DASHBOARD ? (actor ?? null) : null;
}
