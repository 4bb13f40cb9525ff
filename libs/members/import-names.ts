// The names in an imported file. Of a member's lines the last one wins.
import type { NameStore } from "#names/ports.ts";

export type ImportedName = { platformId: string; name: string };

/**
 * Sets the names of these lines, after those of earlier calls, and returns the lines that changed one. `beforeChange`:
 * awaited before the first one changes.
 */
export type ImportNames = (
  lines: readonly ImportedName[],
  beforeChange: () => Promise<void>,
) => Promise<ReadonlySet<ImportedName>>;

export function makeImportNames(names: Pick<NameStore, "read" | "set">, clanId: string): ImportNames {
  /** What earlier lines have set: a dry run has stored none of it. */
  const imported = new Map<string, string>();

  return async function importNames(lines, beforeChange) {
    if (lines.length === 0) return new Set();
    const ids = new Set(lines.map(({ platformId }) => platformId));
    const stored = await names.read(clanId, [...ids]);
    const changed = new Set<ImportedName>();
    for (const line of lines) {
      const { platformId, name } = line;
      if ((imported.get(platformId) ?? stored.get(platformId)) === name) continue;
      imported.set(platformId, name);
      changed.add(line);
    }
    if (changed.size > 0) await beforeChange();
    const last = new Map([...changed].map((line) => [line.platformId, line]));
    await names.set(clanId, [...last.values()]);
    return changed;
  };
}
