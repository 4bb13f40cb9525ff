// What changes the XP of members from the pages: of one by a person, and of many by a file.
import type { JoinedLedger } from "#composition/start-ledger.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Ids } from "#kernel/ids.ts";
import { digest } from "#process/secrets.ts";
import { makeClaimAwards } from "#awards/claim-awards.ts";
import { makeFindReplays } from "#awards/find-replays.ts";
import { makeClaimBudget } from "#keys/key-budget.ts";
import { makeChangeXp } from "#members/change-xp.ts";
import { makeDryRun } from "#members/foresee-awards.ts";
import { makeOpenImportRecord } from "#members/import-log.ts";
import { makeImportMembers } from "#members/import-members.ts";
import { moderatorTexts } from "#members/moderator-budget.ts";
import { makeSettleChanges } from "#members/settle-changes.ts";
import type { Connections } from "./connections.ts";

type Deps = { connections: Connections; ledger: JoinedLedger; clock: Clock; ids: Ids };

export function makeChangingXp({ connections: { ledgerStore: store, budgets }, ledger, clock, ids }: Deps) {
  const findReplays = makeFindReplays(store);
  const claimBudget = makeClaimBudget({ budgets, clock, newClaimId: ids.award, texts: moderatorTexts });
  const claimAwards = makeClaimAwards({ claimBudget, findReplays, clock, digest, countsDeductions: true });
  return makeChangeXp({ committer: ledger, findReplays, rules: ledger.rules, digest, claimAwards });
}

export function makeImporting({ connections, ledger, clock, ids }: Deps) {
  const { ledgerStore: store, names, audit } = connections;
  const openDryRun = () => makeDryRun({ store, names, clock });
  const openRecord = makeOpenImportRecord({ audit, ids, openCheck: () => openDryRun().settle });
  return {
    importMembers: makeImportMembers({ settle: makeSettleChanges(ledger), names, digest, openRecord }),
    openCheck: () => makeImportMembers({ ...openDryRun(), digest }),
    rules: ledger.rules,
  };
}
