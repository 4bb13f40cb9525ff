// The reversal that takes back the XP that the import of a name gave, the same for all callers. Memberships,
// appointments and names stay.
import type { ReversalBy } from "#domain/reversal.ts";

export function undoOfImport(name: string): { by: ReversalBy; reason: string } {
  return { by: { importName: name }, reason: `undo import ${name}` };
}
