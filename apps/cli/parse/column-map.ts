// Parses --map: which column of a foreign file has which field of an import.
import { fieldNamed, IMPORT_FIELDS, type ColumnMap } from "#import/import-line.ts";
import { didYouMean } from "../cli-error.ts";
import type { Faults } from "./options.ts";

/** `platformId=id,xp=points`. */
export function columnMapIn(text: string, faults: Faults): ColumnMap {
  const map = new Map<string, string>();
  for (const part of text.split(",")) {
    const parted = part.indexOf("=");
    const [field, column] = [part.slice(0, Math.max(parted, 0)).trim(), part.slice(parted + 1).trim()];
    const known = fieldNamed(field);
    if (field === "" || column === "") faults.push(`--map "${part}": it is FIELD=COLUMN, as in platformId=id,xp=xp`);
    else if (!known) {
      const fields = IMPORT_FIELDS.join(", ");
      faults.push(`--map "${part}": the field is one of ${fields}, not "${field}".${didYouMean(field, IMPORT_FIELDS)}`);
    } else if (map.has(known)) faults.push(`--map names the field ${known} twice`);
    else map.set(known, column);
  }
  if (faults.length === 0 && !map.has("platformId")) faults.push("--map must name the column of platformId");
  return map;
}
