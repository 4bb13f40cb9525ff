// The names of members beside their ids.

/** Empty where the output is not for people. */
export type ShownNames = ReadonlyMap<string, string>;

/** `4711 (Mira)`; the id alone without a name. */
export function withName(names: ShownNames, platformId: string): string {
  const name = names.get(platformId);
  return name === undefined ? platformId : `${platformId} (${name})`;
}
