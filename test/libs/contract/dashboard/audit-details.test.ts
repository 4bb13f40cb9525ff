// The details of a record of the audit log: what differs, for people.
import { expect, test } from "vitest";
import { auditDetails, detailsText } from "#contract/dashboard/audit-details.ts";
import type { DescribedRecord } from "#contract/dashboard/audit-fields.ts";

function recordOf(action: string, given: Partial<DescribedRecord>): DescribedRecord {
  return { actor: "ada", action, target: "owls", before: null, after: null, ...given };
}

test("of ranks have those that changed, without ids", () => {
  const [guest, recruit] = [
    { kind: "GUEST", name: "Guest" },
    { kind: "NORMAL", name: "Recruit", threshold: "500" },
  ];
  const listOf = (threshold: string, staff: string) => ({
    ranks: [guest, recruit, { kind: "NORMAL", name: "Elite", threshold }, { id: "n8lR", kind: "STAFF", name: staff }],
  });
  const [before, after] = [listOf("20000", "Officer"), listOf("12000", "Helper")];
  expect(auditDetails(recordOf("rank.set", { before, after }))).toStrictEqual([
    { label: "Rank Elite", before: "by XP, from 20,000", after: "by XP, from 12,000" },
    { label: "Rank Helper", before: "Officer, by appointment (staff)", after: "Helper, by appointment (staff)" },
  ]);
  expect(detailsText(recordOf("clan.create", { after: { name: "Owls", ranks: [guest, recruit] } }))).toBe(
    "Name: Owls; Rank Guest: for guests; Rank Recruit: by XP, from 500",
  );
});

test("of a member have times in minutes, and no rank's id", () => {
  const standing = { xp: "30", rank: "Recruit", appointedRank: "n8lR-tmM9mXy0" };
  const record = recordOf("member.remove", {
    before: { ...standing, membership: { since: "2026-11-26T10:52:33.123Z" } },
    after: { xp: "30", rank: "Guest", membership: null, appointedRank: null },
  });
  expect(auditDetails(record)).toStrictEqual([
    { label: "Rank", before: "Recruit", after: "Guest" },
    { label: "Appointed", before: "yes", after: null },
    { label: "Member since", before: "Nov 26, 2026, 10:52 UTC", after: null },
  ]);
});

test("have groups of settings field by field, and fields that are in no table", () => {
  const after = {
    name: "game",
    scopes: ["award", "read"],
    limits: { requestsPerSecond: 500, xpPerDay: null },
    expiresAt: null,
    otherId: "internal",
    closesAt: "2026-12-04T18:00:00.000Z",
    places: [{ placeId: "1", name: "Lobby" }],
  };
  expect(auditDetails(recordOf("key.create", { after }))).toStrictEqual([
    { label: "Name", before: null, after: "game" },
    { label: "Scopes", before: null, after: "award, read" },
    { label: "Requests per second", before: null, after: "500" },
    { label: "Closes at", before: null, after: "Dec 4, 2026, 18:00 UTC" },
    { label: "Places", before: null, after: "Lobby" },
  ]);
});

test("of a reversal have its selection, and its reason as long as that is stored", () => {
  const after = { reversalId: "rev_1", by: "key", keyId: "x", from: "2026-12-04T18:00:00Z", selected: 12 };
  const stored = { isStored: true, platformId: null, amount: null };
  const record = recordOf("reversal.submit", { after, reversal: { ...stored, reason: "leaked" } });
  expect(detailsText(record)).toBe("Selected by: key; From: Dec 4, 2026, 18:00 UTC; Awards: 12; Reason: leaked");
  expect(detailsText({ ...record, reversal: { ...stored, reason: null, isStored: false } })).not.toContain("Reason");
});

test("of a destination have only the roles that differ", () => {
  const mapping = { target: "42", roles: { Elite: "7" }, requestsPerMinute: 120 };
  const before = { mapping: { ...mapping, roles: {} } };
  expect(detailsText(recordOf("destination.set", { before, after: { mapping } }))).toBe("Roles: Elite → 7");
});
