// A record of processes that nobody reads.
import type { ProcessStore } from "#usecases/projection/ports.ts";

export const noProcesses: ProcessStore = {
  note: async () => {},
  remove: async () => {},
  listSilent: async () => [],
  listNotes: async () => [],
  notePass: async () => {},
};
