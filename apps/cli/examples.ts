// Examples at the end of a help text: what to type, and under it what that does.

export function examples(lines: readonly (readonly [string, string])[]): string {
  return ["", "Examples:", ...lines.map(([command, effect]) => `  ${command}\n      ${effect}`)].join("\n");
}
