// The guide of each page, below /docs/how-to of the documentation.

const guides: Readonly<Record<string, string>> = {
  overview: "read-the-overview",
  members: "manage-members",
  awards: "find-who-gave-xp",
  resets: "reset-xp",
  people: "invite-people",
  audit: "find-who-gave-xp",
  reversals: "reverse-awards",
  ranks: "set-ranks",
  boards: "run-a-season",
  boosts: "double-xp-for-a-weekend",
  "public-page": "share-your-clans-page",
  keys: "create-an-api-key",
  events: "follow-the-clan",
  destinations: "receive-webhooks",
  clans: "dashboard",
  queue: "dashboard",
  account: "sign-in-to-the-dashboard",
};

export function guideOf(page: string | undefined): string {
  return guides[page ?? ""] ?? "clan-owner";
}
