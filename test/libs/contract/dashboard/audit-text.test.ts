// What each record of the audit log says, in one sentence.
import { describe, expect, test } from "vitest";
import { auditActions, type AuditAction } from "#domain/audit.ts";
import { ERASED } from "#domain/erased.ts";
import type { DescribedRecord } from "#contract/dashboard/audit-fields.ts";
import { actionText, auditSentence } from "#contract/dashboard/audit-text.ts";

type Given = Partial<DescribedRecord>;

const guest = { kind: "GUEST", name: "Guest" };
const elite = (threshold: string, name = "Elite") => ({ kind: "NORMAL", name, threshold });
const staff = (name: string) => ({ kind: "STAFF", name });
const ranks = (...list: object[]) => ({ ranks: [guest, ...list] });
const window = { from: "2026-12-04T18:00:00.000Z", to: "2026-12-06T22:59:59.999Z" };
const key = { target: "xbGlFPRv7zdk", targetName: "game" };
const site = { target: "dst_1", targetName: "site" };
const hook = { target: "hok_1" };
const bob = { target: "bob" };
const xp = (before: string, after: string, more: object = {}): Given => ({
  target: "4711",
  before: { xp: before, rank: "Guest" },
  after: { xp: after, rank: "Guest", ...more },
});
const reversal = (after: object, more: Given = {}): Given => ({ target: "rev_1", after, ...more });

const reversed = (amount: string | null, name: string | null): Given => ({
  reversal: { reason: "cheated", isStored: true, platformId: "4711", name, amount },
});

const board = { name: "This week", every: "week", on: "monday", at: "00:00", timeZone: "UTC", settleHours: 1 };

/** Each with what Ada did. */
const cases: Record<AuditAction, [Given, string][]> = {
  "clan.create": [[{ target: "owls", after: { name: "Night Owls", ...ranks() } }, "created the clan Night Owls"]],
  "clan.delete": [[{ target: "owls", before: { name: "Night Owls", ...ranks() } }, "deleted the clan Night Owls"]],
  "clan.set": [
    [{ before: { name: "A" }, after: { name: "B" } }, "changed the name of the clan from A to B"],
    [{ before: { autoClan: true }, after: { autoClan: false } }, "turned Auto Clan off"],
    [{ before: { awardEvents: null }, after: { awardEvents: true } }, "turned award events on"],
    [{ before: { awardEvents: true }, after: { awardEvents: null } }, "turned award events off"],
    [{ before: { xpPerDay: null }, after: { xpPerDay: "1000" } }, "set the XP per day of the clan to 1,000"],
    [
      {
        before: { moderatorXpPerAward: 1000, moderatorXpPerDay: 10_000 },
        after: { moderatorXpPerAward: 1000, moderatorXpPerDay: 500 },
      },
      "changed the moderators' XP per day of the clan from 10,000 to 500",
    ],
    [{ before: { xpFloor: "0" }, after: { xpFloor: null } }, "removed the minimum XP of the clan"],
    [
      { before: { xpCap: "9223372036854775807", amountMax: 1000 }, after: { xpCap: "5000", amountMax: 2500 } },
      "set the maximum XP of the clan to 5,000 and changed the largest amount from 1,000 to 2,500",
    ],
    [
      {
        before: { name: "A", autoClan: true, xpFloor: "0", amountMax: 1 },
        after: { name: "B", autoClan: false, xpFloor: "1", amountMax: 2 },
      },
      "changed 4 settings of the clan",
    ],
  ],
  "rank.set": [
    [
      { before: ranks(elite("20000")), after: ranks(elite("12000")) },
      "changed the threshold of Elite from 20,000 to 12,000",
    ],
    [{ before: ranks(), after: ranks(elite("5")) }, "added the rank Elite"],
    [{ before: ranks(elite("5")), after: ranks() }, "removed the rank Elite"],
    [{ before: ranks(elite("5")), after: ranks(elite("5", "Legend")) }, "renamed the rank Elite to Legend"],
    [
      {
        before: ranks({ id: "n8lR", kind: "STAFF", name: "Officer" }),
        after: ranks({ id: "n8lR", kind: "OWNER", name: "Captain" }),
      },
      "renamed the rank Officer to Captain and made Captain a rank by appointment (owner), not by appointment (staff)",
    ],
    [
      { before: ranks(elite("1", "A"), elite("2", "B")), after: ranks(elite("3", "B"), elite("4", "C")) },
      "changed the threshold of B from 2 to 3, added the rank C and removed the rank A",
    ],
    [
      { before: ranks(), after: ranks(elite("1", "A"), elite("2", "B"), elite("3", "C"), elite("4", "D")) },
      "added 4 ranks",
    ],
    [{ before: ranks(elite("1", "A"), elite("2", "B")), after: ranks() }, "removed the ranks A and B"],
    [
      {
        before: ranks(elite("1", "A"), elite("2", "B"), elite("3", "C"), elite("4", "D")),
        after: ranks(elite("2", "A"), elite("3", "B"), elite("4", "C"), elite("5", "D")),
      },
      "made 4 changes of the ranks",
    ],
    [{ before: ranks(staff("A"), staff("B")), after: ranks(staff("B"), staff("A")) }, "changed the order of the ranks"],
  ],
  "reset.submit": [
    [
      { target: "rst_1", after: { at: window.to, keepPercent: 20, members: null, amount: null } },
      "reset the XP as of Dec 6, 2026, 22:59 UTC, except 20 %",
    ],
    [
      { target: "rst_1", after: { at: window.to, keepPercent: 0, members: 1200, amount: "5" } },
      "reset the XP of 1,200 members as of Dec 6, 2026, 22:59 UTC",
    ],
  ],
  "reset.cancel": [[{ target: "rst_1", after: { status: "cancelled" } }, "cancelled a reset of XP"]],
  "board.set": [
    [{ target: "weekly", after: board }, "added the board This week"],
    [
      { target: "weekly", before: board, after: { ...board, name: "Weekly", timeZone: "Europe/Berlin" } },
      "changed the name of the board This week from This week to Weekly and changed the time zone from UTC to Europe/Berlin",
    ],
  ],
  "board.season": [
    [
      { target: "seasons", after: { seasons: [{ startsAt: window.from, endsAt: window.to }] } },
      "added a season to the board seasons from Dec 4, 2026, 18:00 UTC to Dec 6, 2026, 22:59 UTC",
    ],
  ],
  "board.remove": [[{ target: "weekly", before: board }, "removed the board This week"]],
  "page.publish": [[{ after: { slug: "owls", names: false } }, "published the public page"]],
  "page.set": [
    [{ before: { names: false }, after: { names: true } }, "turned names of members on"],
    [
      { before: { slug: "owls", frames: "none" }, after: { slug: "night-owls", frames: ["https://a.example"] } },
      "changed the address of the public page from owls to night-owls and changed the embedding from none to https://a.example",
    ],
  ],
  "page.unpublish": [[{ before: { slug: "owls" } }, "unpublished the public page"]],
  "page.hide": [[{}, "hid a member on the public page"]],
  "page.unhide": [[{}, "showed a member on the public page again"]],
  "boost.add": [
    [
      { target: "bst_1", after: { name: "Double XP", percent: 200, ...window, ranks: ["Elite"], placeIds: [] } },
      "added the boost Double XP, ×2 from Dec 4, 2026, 18:00 UTC to Dec 6, 2026, 22:59 UTC",
    ],
  ],
  "boost.end": [
    [{ target: "bst_1", targetName: "Double XP", after: { endedAt: window.to } }, "ended the boost Double XP"],
    [{ target: "bst_1", after: { endedAt: window.to } }, "ended a boost"],
  ],
  "key.create": [[{ ...key, after: { name: "game", scopes: ["award"] } }, "created the API key game"]],
  "key.rotate": [[{ ...key, after: { replacedBy: "aaaa" } }, "rotated the API key game"]],
  "key.revoke": [
    [{ ...key, after: { revokedAt: window.to } }, "revoked the API key game"],
    [{ target: "xbGlFPRv7zdk", after: { revokedAt: window.to } }, "revoked an API key"],
  ],
  "key.limit": [
    [
      { ...key, before: { requestsPerSecond: 500, xpPerDay: null }, after: { requestsPerSecond: 50, xpPerDay: 1000 } },
      "changed the requests per second of the API key game from 500 to 50 and set the XP per day to 1,000",
    ],
  ],
  "destination.add": [[{ ...site, after: { name: "site", kind: "webhook" } }, "added the destination site"]],
  "destination.set": [
    [
      { ...site, before: { types: ["member.joined"] }, after: { types: ["member.left"], secrets: "changed" } },
      "changed the events of the destination site and changed the secrets",
    ],
  ],
  "destination.pause": [[site, "paused the destination site"]],
  "destination.resume": [[site, "resumed the destination site"]],
  "destination.rotate": [[site, "rotated the signing secret of the destination site"]],
  "destination.resend": [[{ ...site, after: { events: 1 } }, "sent 1 event again to the destination site"]],
  "destination.remove": [[{ ...site, before: { name: "site" } }, "removed the destination site"]],
  "hook.add": [[hook, "added the erasure hook hok_1"]],
  "hook.rotate": [[hook, "rotated the secret of the erasure hook hok_1"]],
  "hook.remove": [[hook, "removed the erasure hook hok_1"]],
  "hook.release": [[hook, "released the held requests of the erasure hook hok_1"]],
  "hook.reject": [[hook, "rejected the held requests of the erasure hook hok_1"]],
  "batch.cancel": [[{ target: "bat_1", after: { cancelled: true } }, "cancelled the batch bat_1"]],
  "reversal.submit": [
    [reversal({ by: "reset", selected: 4 }), "reversed a reset of XP"],
    [reversal({ by: "award", selected: 1 }, reversed("93", "Łukasz")), "took back 93 XP of Łukasz: cheated"],
    [reversal({ by: "award", selected: 1 }, reversed("-1200", null)), "gave 1,200 XP back to 4711: cheated"],
    // Somebody else had reversed it.
    [reversal({ by: "award", selected: 1 }, reversed("0", "Łukasz")), "reversed 1 award of Łukasz: cheated"],
    [reversal({ by: "award", selected: null }, reversed(null, "Łukasz")), "reversed an award of Łukasz: cheated"],
    [reversal({ by: "award", selected: 1 }), "reversed 1 award of a member"],
    [
      reversal({ by: "key", keyId: "x", selected: 1200 }, { targetName: "game" }),
      "reversed 1,200 awards of the API key game",
    ],
    [reversal({ by: "batch", batchId: "bat_1", selected: 2 }), "reversed 2 awards of the batch bat_1"],
    [reversal({ by: "match", matchId: "m-17", selected: null }), "reversed the awards of the match m-17"],
    [reversal({ by: "import", importName: "season-2", selected: 2 }), "reversed 2 awards of the import season-2"],
    [reversal({ by: "member", selected: 3 }), "reversed 3 awards of a member"],
    [
      reversal({ by: "member", selected: 3 }, reversed("93", "Łukasz")),
      "took back 93 XP of Łukasz (3 awards): cheated",
    ],
    // As an earlier version wrote it.
    [reversal({ by: {} }), "reversed the awards"],
  ],
  "queue.pause": [[{ target: "batches" }, "paused the queue"]],
  "queue.resume": [[{ target: "batches" }, "resumed the queue"]],
  "member.add": [[{ target: "4711" }, "added 4711 as a member"]],
  "member.remove": [
    [{ target: "4711" }, "removed 4711 from the members"],
    [{ target: ERASED }, "removed an erased member from the members"],
  ],
  "member.appoint": [
    [{ target: "4711", after: { rank: "Captain", appointedRank: "n8lR" } }, "appointed 4711 to Captain"],
    [{ target: "4711", after: { rank: "Elite", appointedRank: null } }, "ended the appointment of 4711"],
  ],
  "member.award": [
    [xp("0", "1500", { reason: "event" }), "gave 1,500 XP to 4711: event"],
    [xp("1500", "0"), "took 1,500 XP from 4711"],
    [{ ...xp("0", "5"), member: { name: "Bob" } }, "gave 5 XP to Bob"],
    [{ ...xp("0", "5"), member: { name: null } }, "gave 5 XP to 4711"],
    [xp("0", "5", { reason: "x".repeat(500) }), `gave 5 XP to 4711: ${"x".repeat(99)}…`],
  ],
  "member.erase": [[{ target: "era_1", after: { erasureId: "era_1" } }, "erased a member"]],
  "password.set": [
    [{ target: "Ada" }, "set a new password"],
    [bob, "set a new password for bob"],
  ],
  "passkey.add": [[{ target: "Ada", after: { passkey: "id", name: "Laptop" } }, "added the passkey Laptop"]],
  "passkey.remove": [[{ target: "Ada", before: { passkey: "id" } }, "removed a passkey"]],
  "identity.connect": [
    [
      { ...bob, after: { issuer: "https://id.example" } },
      "connected bob with the identity provider https://id.example",
    ],
    [
      { ...bob, after: { issuer: "https://id.example", ended: ["password", "passkeys", "sessions"] } },
      "connected bob with the identity provider https://id.example, which ended its password, passkeys and sessions",
    ],
  ],
  "identity.disconnect": [[bob, "disconnected bob from the identity provider"]],
  "account.invite": [
    [
      { ...bob, after: { operator: false, clans: [{ clanId: "owls", role: "owner" }] } },
      "invited bob as owner of owls",
    ],
    [{ ...bob, after: { operator: true, clans: [] } }, "invited bob as an operator"],
  ],
  "member.import": [
    [{ target: "season-2", after: { lines: 340, imported: 340 } }, "imported 340 lines under the name season-2"],
    [{ target: "import", after: { lines: 1, imported: 1 } }, "imported 1 line under the name import"],
    [
      { target: "import", after: { lines: 1340, imported: 1338, skipped: 2 } },
      "imported 1,338 of 1,340 lines under the name import",
    ],
    [{ target: "import", after: { importId: "imp_1" } }, "began the import import, which has not ended"],
  ],
  "account.grant": [
    [{ ...bob, after: { role: "viewer" } }, "gave bob the role viewer"],
    [{ ...bob, before: { role: "viewer" }, after: { role: "owner" } }, "changed the role of bob from viewer to owner"],
  ],
  "account.accept": [[{ ...bob, after: { role: "viewer" } }, "accepted the invitation as viewer"]],
  "account.revoke": [
    [{ ...bob, before: { role: "owner" } }, "ended the access of bob"],
    [{ ...bob, before: { role: "owner", invited: true } }, "withdrew the invitation of bob"],
  ],
  "account.reset": [[bob, "reset the sign-in of bob, who needs a new link"]],
  "account.remove": [[{ ...bob, before: { operator: false, clans: [] } }, "removed the account bob"]],
  "session.end": [
    [{ target: "all", after: { sessions: 3, links: 1 } }, "ended 3 sessions and 1 unused link of all accounts"],
  ],
};

function sentenceOf(action: string, given: Given): string {
  return auditSentence({ actor: "Ada", action, target: "owls", before: null, after: null, ...given });
}

describe("a sentence says who did what", () => {
  test.each(Object.entries(cases))("%s", (action, list) => {
    expect(list.map(([given]) => sentenceOf(action, given))).toStrictEqual(list.map(([, did]) => `Ada ${did}`));
  });

  test("also of an action of a newer version, and of one that is called like a method of objects", () => {
    for (const action of ["season.close", "toString"])
      expect(sentenceOf(action, {})).toBe(`Ada made the change ${action} of owls`);
  });

  test("and each action has a different text in a list of all of them", () => {
    expect(new Set(auditActions.map(actionText)).size).toBe(auditActions.length);
  });
});
