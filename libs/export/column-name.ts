// How a field of an export is named as a column.

/** The name that a field has in the first line of a CSV file: `platform_id` for `platformId`. */
export function columnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
