// What a record of the audit log says, as one sentence for people: on the command line, in the dashboard, in exports.
//
// Invariant: every action has a sentence, without which the project does not compile.
import type { AuditAction } from "#domain/audit.ts";
import { factorOf } from "#domain/boost.ts";
import {
  countText,
  factsOf,
  fieldOf,
  fieldText,
  flat,
  listText,
  lowerLabel,
  numberText,
  textIn,
  timeText,
  type Facts,
  type DescribedRecord,
} from "#contract/dashboard/audit-fields.ts";
import { appointmentText, importText, memberOf, reasonText, xpText } from "#contract/dashboard/audit-members.ts";
import { isRankList, rankChanges, rankPhrases } from "#contract/dashboard/audit-ranks.ts";

/** Changes that one sentence describes; of more it has the number. */
const PHRASES_MAX = 3;

/** `what`: the action in a list of all of them. `did`: what the actor did. */
type ActionText = { what: string; did: (record: DescribedRecord) => string };

const texts: Record<AuditAction, ActionText> = {
  "clan.create": {
    what: "Clan created",
    did: ({ target, after }) => `created the clan ${textIn(after, "name") ?? target}`,
  },
  "clan.delete": {
    what: "Clan deleted",
    did: ({ target, before }) => `deleted the clan ${textIn(before, "name") ?? target}`,
  },
  "clan.set": { what: "Clan settings changed", did: (record) => settingsText(record, " of the clan") },
  "rank.set": { what: "Ranks changed", did: ranksText },
  "board.set": { what: "Board changed", did: boardText },
  "board.season": { what: "Season added", did: seasonText },
  "board.remove": { what: "Board removed", did: (record) => `removed the board ${boardOf(record)}` },
  "page.publish": { what: "Public page published", did: () => "published the public page" },
  "page.set": { what: "Public page changed", did: (record) => settingsText(record, " of the public page") },
  "page.unpublish": { what: "Public page unpublished", did: () => "unpublished the public page" },
  "page.hide": { what: "Member hidden", did: () => "hid a member on the public page" },
  "page.unhide": { what: "Member shown again", did: () => "showed a member on the public page again" },
  "boost.add": { what: "Boost added", did: boostText },
  "boost.end": { what: "Boost ended", did: (record) => `ended ${named(record, "boost")}` },
  "key.create": { what: "API key created", did: (record) => `created ${keyOf(record)}` },
  "key.rotate": { what: "API key rotated", did: (record) => `rotated ${keyOf(record)}` },
  "key.revoke": { what: "API key revoked", did: (record) => `revoked ${keyOf(record)}` },
  "key.limit": { what: "API key limited", did: (record) => settingsText(record, ` of ${keyOf(record)}`) },
  "destination.add": { what: "Destination added", did: (record) => `added ${destinationOf(record)}` },
  "destination.set": {
    what: "Destination changed",
    did: (record) => settingsText(record, ` of ${destinationOf(record)}`),
  },
  "destination.pause": { what: "Destination paused", did: (record) => `paused ${destinationOf(record)}` },
  "destination.resume": { what: "Destination resumed", did: (record) => `resumed ${destinationOf(record)}` },
  "destination.rotate": {
    what: "Signing secret rotated",
    did: (record) => `rotated the signing secret of ${destinationOf(record)}`,
  },
  "destination.resend": {
    what: "Events sent again",
    did: (record) => `sent ${countText(factsOf(record.after)["events"], "event")} again to ${destinationOf(record)}`,
  },
  "destination.remove": { what: "Destination removed", did: (record) => `removed ${destinationOf(record)}` },
  "hook.add": hookText("Erasure hook added", "added"),
  "hook.rotate": hookText("Secret of an erasure hook rotated", "rotated the secret of"),
  "hook.remove": hookText("Erasure hook removed", "removed"),
  "hook.release": hookText("Erasure requests released", "released the held requests of"),
  "hook.reject": hookText("Erasure requests rejected", "rejected the held requests of"),
  "batch.cancel": { what: "Batch cancelled", did: ({ target }) => `cancelled the batch ${target}` },
  "reversal.submit": { what: "Awards reversed", did: reversalText },
  "reset.submit": { what: "XP reset", did: resetText },
  "reset.cancel": { what: "Reset cancelled", did: () => "cancelled a reset of XP" },
  "queue.pause": { what: "Queue paused", did: () => "paused the queue" },
  "queue.resume": { what: "Queue resumed", did: () => "resumed the queue" },
  "member.add": { what: "Member added", did: (record) => `added ${memberOf(record)} as a member` },
  "member.remove": { what: "Member removed", did: (record) => `removed ${memberOf(record)} from the members` },
  "member.appoint": { what: "Member appointed", did: appointmentText },
  "member.award": { what: "XP given or taken", did: xpText },
  "member.import": { what: "Members imported", did: importText },
  "member.erase": { what: "Member erased", did: () => "erased a member" },
  "password.set": { what: "Password set", did: (record) => `set a new password${forOther(record)}` },
  "passkey.add": {
    what: "Passkey added",
    did: (record) => `added the passkey ${textIn(record.after, "name") ?? ""}${forOther(record)}`,
  },
  "passkey.remove": { what: "Passkey removed", did: (record) => `removed a passkey${forOther(record)}` },
  "identity.connect": {
    what: "Identity connected",
    did: identityText,
  },
  "identity.disconnect": {
    what: "Identity disconnected",
    did: ({ target }) => `disconnected ${target} from the identity provider`,
  },
  "account.invite": { what: "Person invited", did: invitationText },
  "account.accept": {
    what: "Invitation accepted",
    did: ({ after }) => `accepted the invitation as ${textIn(after, "role")}`,
  },
  "account.grant": { what: "Access given or changed", did: grantText },
  "account.revoke": {
    what: "Access ended",
    did: ({ target, before }) =>
      factsOf(before)["invited"] === true ? `withdrew the invitation of ${target}` : `ended the access of ${target}`,
  },
  "account.reset": {
    what: "Sign-in reset",
    did: ({ target }) => `reset the sign-in of ${target}, who needs a new link`,
  },
  "account.remove": { what: "Account removed", did: ({ target }) => `removed the account ${target}` },
  "session.end": {
    what: "Sessions ended",
    did: ({ after }) =>
      `ended ${countText(factsOf(after)["sessions"], "session")} and ${countText(factsOf(after)["links"], "unused link")} of all accounts`,
  },
};

/** With the actor and without a full stop: "Ada changed the threshold of Elite from 20,000 to 12,000". */
export function auditSentence(record: DescribedRecord): string {
  const { actor, action, target } = record;
  // A newer version may have written the record.
  return `${actor} ${isKnown(action) ? texts[action].did(record) : `made the change ${action} of ${target}`}`;
}

/** An action in a list of all of them. */
export function actionText(action: AuditAction): string {
  return texts[action].what;
}

function isKnown(action: string): action is AuditAction {
  return Object.hasOwn(texts, action);
}

function ranksText(record: DescribedRecord): string {
  const [{ ranks: earlier }, { ranks: later }] = [factsOf(record.before), factsOf(record.after)];
  const changes = rankChanges(isRankList(earlier) ? earlier : [], isRankList(later) ? later : []);
  const phrases = [...rankPhrases(changes), ...settingPhrases(record, " of the clan")];
  if (phrases.length === 0) return "changed the order of the ranks";
  return phrases.length <= PHRASES_MAX ? listText(phrases) : `made ${phrases.length} changes of the ranks`;
}

function settingsText(record: DescribedRecord, ofWhat: string): string {
  const phrases = settingPhrases(record, ofWhat);
  if (phrases.length > PHRASES_MAX) return `changed ${phrases.length} settings${ofWhat}`;
  // Once what the settings are of is enough.
  return listText(phrases.map((phrase, index) => (index === 0 ? phrase : phrase.replace(ofWhat, ""))));
}

/** `changed the maximum XP from 5,000 to 9,000`: one for each field that differs, except the ranks. */
function settingPhrases({ before, after }: DescribedRecord, ofWhat: string): string[] {
  const [earlier, later] = [flat(before), flat(after)];
  const names = Object.keys(later).filter((name) => name !== "ranks" && fieldOf(name));
  return names.flatMap((name) => {
    const field = fieldOf(name);
    const [from, to] = [fieldText(name, earlier[name]), fieldText(name, later[name])];
    if (!field || from === to) return [];
    if (to === "on" || from === "on") return [`turned ${lowerLabel(field)} ${to ?? "off"}`];
    const label = `${lowerLabel(field)}${ofWhat}`;
    if (field.isLong) return [`changed the ${label}`];
    if (to === null) return [`removed the ${label}`];
    return [from === null ? `set the ${label} to ${to}` : `changed the ${label} from ${from} to ${to}`];
  });
}

function boostText({ after }: DescribedRecord): string {
  const { name, percent, from, to } = factsOf(after);
  return `added the boost ${String(name)}, ×${factorOf(Number(percent))}${spanText(from, to)}`;
}

function spanText(from: unknown, to: unknown): string {
  return typeof from === "string" && typeof to === "string" ? ` from ${timeText(from)} to ${timeText(to)}` : "";
}

function boardText(record: DescribedRecord): string {
  if (record.before === null) return `added the board ${boardOf(record)}`;
  return settingsText(record, ` of the board ${boardOf(record)}`);
}

function seasonText({ target, after }: DescribedRecord): string {
  const [season] = factsOf(after)["seasons"] as { startsAt?: unknown; endsAt?: unknown }[];
  return `added a season to the board ${target}${spanText(season?.startsAt, season?.endsAt)}`;
}

/** By the name that it had before. */
function boardOf({ target, before, after }: DescribedRecord): string {
  return textIn(before ?? after, "name") ?? target;
}

function reversalText(record: DescribedRecord): string {
  const facts = factsOf(record.after);
  const { selected = null } = facts;
  const which = selectionText(record, facts);
  const reason = reasonText(record.reversal?.reason);
  if (facts["by"] === "reset") return `reversed a reset of XP${reason}`;
  const given = giveBackText(record, facts);
  if (given !== null) return `${given}${reason}`;
  // Until it is done, the number is not known.
  const unknown = facts["by"] === "award" ? "an award" : "the awards";
  return `reversed ${selected === null ? unknown : countText(selected, "award")}${which}${reason}`;
}

/** Of one member whose details are still stored, once it is done: whose XP, and how much of it. */
function giveBackText({ reversal }: DescribedRecord, { by, selected = null }: Facts): string | null {
  const { amount = null } = reversal ?? {};
  const who = subjectOf(reversal);
  if (who === null || amount === null || selected === null || BigInt(amount) === 0n) return null;
  const xp = BigInt(amount);
  const done = xp > 0n ? `took back ${numberText(xp)} XP of ${who}` : `gave ${numberText(-xp)} XP back to ${who}`;
  return by === "award" ? done : `${done} (${countText(selected, "award")})`;
}

function subjectOf(reversal: DescribedRecord["reversal"]): string | null {
  return reversal?.name ?? reversal?.platformId ?? null;
}

function selectionText({ targetName, reversal }: DescribedRecord, { by, batchId, matchId, importName }: Facts): string {
  switch (by) {
    case "award":
    case "member":
      return ` of ${subjectOf(reversal) ?? "a member"}`;
    case "batch":
      return ` of the batch ${String(batchId)}`;
    case "match":
      return ` of the match ${String(matchId)}`;
    case "import":
      return ` of the import ${String(importName)}`;
    case "key":
      return ` of ${keyOf({ targetName })}`;
    default:
      return "";
  }
}

function resetText({ after }: DescribedRecord): string {
  const { at, keepPercent, members = null } = factsOf(after);
  // Until it is done, the number is not known.
  const ofWhom = members === null ? "" : ` of ${countText(members, "member")}`;
  const time = typeof at === "string" ? ` as of ${timeText(at)}` : "";
  return `reset the XP${ofWhom}${time}${Number(keepPercent) > 0 ? `, except ${String(keepPercent)} %` : ""}`;
}

/** `ended`: what opened the account before and does not any more. */
function identityText({ target, after }: DescribedRecord): string {
  const { ended = [] } = factsOf(after) as { ended?: readonly string[] };
  const what = `connected ${target} with the identity provider ${textIn(after, "issuer") ?? ""}`;
  return ended.length === 0 ? what : `${what}, which ended its ${listText(ended)}`;
}

function invitationText({ target, after }: DescribedRecord): string {
  const { operator, clans } = factsOf(after);
  if (operator === true) return `invited ${target} as an operator`;
  const access = fieldText("clans", clans);
  return `invited ${target}${access === null ? "" : ` as ${access}`}`;
}

function grantText({ target, before, after }: DescribedRecord): string {
  const [from, to] = [textIn(before, "role"), textIn(after, "role")];
  return from === null ? `gave ${target} the role ${to}` : `changed the role of ${target} from ${from} to ${to}`;
}

/** Of a person who did this to another account: their own needs no name. */
function forOther({ actor, target }: DescribedRecord): string {
  return actor === target ? "" : ` for ${target}`;
}

function keyOf(record: Pick<DescribedRecord, "targetName">): string {
  return record.targetName === undefined ? "an API key" : `the API key ${record.targetName}`;
}

function hookText(what: string, did: string): ActionText {
  return { what, did: ({ target }) => `${did} the erasure hook ${target}` };
}

function destinationOf(record: DescribedRecord): string {
  return named(record, "destination");
}

/** Records of older versions do not have the name. */
function named({ targetName }: DescribedRecord, what: string): string {
  return targetName === undefined ? `a ${what}` : `the ${what} ${targetName}`;
}
