// Which roles a member gets and loses: the present rank decides, and nothing outside of the mapping is touched.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isIdOf,
  mappedRoles,
  renameInMapping,
  roleChangeOf,
  wantedRoles,
  type MemberRank,
} from "#domain/role-change.ts";

const RANKS = ["Guest", "Recruit", "Veteran", "Elite", "__proto__", "toString"];
const ROLES = ["10", "20", "30", "98", "99"];

const mapping: fc.Arbitrary<{ roles: Record<string, string> }> = fc.record({
  roles: fc
    .array(fc.tuple(fc.constantFrom(...RANKS), fc.constantFrom("10", "20", "30")))
    .map((pairs) => Object.fromEntries(pairs)),
});
const rank = fc.record({ rank: fc.constantFrom(...RANKS), isMember: fc.boolean() });
const has = fc.uniqueArray(fc.constantFrom(...ROLES));

function applied(of: { roles: Record<string, string> }, to: MemberRank, before: readonly string[]): Set<string> {
  const { assign, unassign } = roleChangeOf(of, to, before);
  const after = new Set([...before, ...assign]);
  for (const roleId of unassign) expect(after.delete(roleId)).toBe(true);
  return after;
}

test("a person ends with the role of their rank, none other of the mapping, and every role outside of it", () => {
  fc.assert(
    fc.property(mapping, rank, has, (of, to, before) => {
      const after = applied(of, to, before);
      const mapped = new Set(Object.values(of.roles));
      expect([...after].filter((roleId) => mapped.has(roleId))).toStrictEqual([...wantedRoles(of, to)]);
      expect([...after].filter((roleId) => !mapped.has(roleId))).toStrictEqual(before.filter((id) => !mapped.has(id)));
    }),
  );
});

test("only the last rank counts, however many came before and in whatever order, and a second time changes nothing", () => {
  fc.assert(
    fc.property(mapping, fc.array(rank), rank, has, (of, earlier, last, before) => {
      let after: readonly string[] = before;
      for (const one of earlier) after = [...applied(of, one, after)];
      const end = applied(of, last, after);
      expect(new Set(end)).toStrictEqual(applied(of, last, before));
      expect(roleChangeOf(of, last, [...end])).toStrictEqual({ assign: [], unassign: [] });
    }),
  );
});

test("without a membership no role is wanted, even if the clan's Guest rank is in the mapping", () => {
  const of = { roles: { Guest: "10", Recruit: "20" } };
  expect(wantedRoles(of, { rank: "Guest", isMember: false })).toStrictEqual([]);
  expect(wantedRoles(of, { rank: "Guest", isMember: true })).toStrictEqual(["10"]);
  expect(mappedRoles(of, ["20", "99", "20"])).toStrictEqual(["20"]);
});

test("a platform ID that cannot be an id there names nobody there", () => {
  for (const id of ["1", "156", "9876543210"]) expect(isIdOf("roblox-group", id)).toBe(true);
  for (const id of ["", "abc", "15x", "-1", "1.5", "1 2"]) expect(isIdOf("roblox-group", id)).toBe(false);
  for (const id of ["80351110224678912", "1".repeat(20)]) expect(isIdOf("discord-roles", id)).toBe(true);
  for (const id of ["156", "abc", "1".repeat(21), "8035111022467891x"]) expect(isIdOf("discord-roles", id)).toBe(false);
});

test("a mapping follows renamed ranks, also where two swap their names or one takes the name of another that is gone", () => {
  const roles = { A: "1", B: "2", C: "3" };
  expect(renameInMapping(roles, new Map([["A", "X"]]))).toStrictEqual({ X: "1", B: "2", C: "3" });
  expect(
    renameInMapping(
      roles,
      new Map([
        ["A", "B"],
        ["B", "A"],
      ]),
    ),
  ).toStrictEqual({ B: "1", A: "2", C: "3" });
  expect(renameInMapping(roles, new Map([["A", "B"]]))).toStrictEqual({ B: "1", C: "3" });
  expect(renameInMapping(roles, new Map([["D", "C"]]))).toStrictEqual({ A: "1", B: "2" });
});
