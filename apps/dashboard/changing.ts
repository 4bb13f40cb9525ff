// What changes the XP of members from the pages: of one by a person, and of many by a file.
import type { JoinedLedger } from "#composition/start-ledger.ts";
import type { Clock, Ids } from "#runtime/ports.ts";
import { digest } from "#runtime/process/secrets.ts";
import { makeClaimAwards } from "#usecases/awards/claim-awards.ts";
import { makeFindReplays } from "#usecases/awards/find-replays.ts";
import { makeClaimBudget } from "#usecases/keys/key-budget.ts";
import { makeChangeXp } from "#usecases/members/change-xp.ts";
import { makeDryRun } from "#usecases/members/foresee-awards.ts";
import { makeOpenImportRecord } from "#usecases/members/import-log.ts";
import { makeImportMembers } from "#usecases/members/import-members.ts";
import { moderatorTexts } from "#usecases/members/moderator-budget.ts";
import { makeSettleChanges } from "#usecases/members/settle-changes.ts";
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
