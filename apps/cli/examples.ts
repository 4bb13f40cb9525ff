// Examples at the end of a help text: the command, and under it what it does.

export function examples(lines: readonly (readonly [string, string])[]): string {
  return ["", "Examples:", ...lines.map(([command, effect]) => `  ${command}\n      ${effect}`)].join("\n");
}
