// A small file that shows the columns of an import, and can be imported.
import { csvText } from "#export/csv-text.ts";

/** `appointedRank`: a rank of the clan to which members can be appointed; null if there is none. */
export function sampleText(appointedRank: string | null): string {
  const line = { xp: null, membership: "true", appointedRank: null, reason: null };
  const rows = [
    { ...line, platformId: "1000001", name: "Nova", xp: "1250", reason: "from the old bot" },
    { ...line, platformId: "1000002", name: "StormFox", xp: "640" },
    { ...line, platformId: "1000003", name: "Mira", appointedRank },
  ];
  return csvText("sample", rows, true);
}
