// Ends a boost. Awards that it has raised stay raised.
import type { ListedBoost } from "#contract/dashboard/boosts.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";

const ENDS = "It stops raising awards within a second, and cannot be resumed. Awards that it has raised stay raised.";

export function EndBoostDialog({ clanId, boost, onClose }: { clanId: string; boost: ListedBoost; onClose(): void }) {
  const { boostId, name } = boost;
  return (
    <ConfirmDialog
      title={`End ${name}`}
      description={ENDS}
      submit="End boost"
      isDanger
      endpoint="end-boost"
      sent={{ params: { clanId, boostId } }}
      note={() => ({ title: `${name} ended` })}
      refreshes={["list-boosts"]}
      onClose={onClose}
    />
  );
}
