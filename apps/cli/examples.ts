// Examples at the end of a help text: what to type, and what it does.

export function examples(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, effect]) => `  ${command.padEnd(width)}   ${effect}`).join("\n")}`;
}
