// A record of processes that nobody reads.
import type { ProcessStore } from "#ledger/projection/ports.ts";

export const noProcesses: ProcessStore = {
  note: async () => {},
  remove: async () => {},
  claimSilent: async () => null,
  renewClaim: async () => false,
  listNotes: async () => [],
  endClaim: async () => {},
};
