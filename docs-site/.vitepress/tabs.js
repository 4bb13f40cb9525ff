// Consecutive blocks of code in different languages become tabs. In the file they are blocks below each other, so that
// it needs no syntax of its own.

/** What a tab is called. Blocks in other languages, such as the response to a request, stay below. */
const NAMES = { sh: "curl", js: "TypeScript", lua: "Luau", csharp: "C#", gdscript: "GDScript" };

export function tabs(md) {
  md.core.ruler.push("tabs", (state) => {
    const { tokens } = state;
    const made = [];
    for (let start = 0; start < tokens.length;) {
      const group = groupAt(tokens, start);
      if (group.length > 1) {
        for (const fence of group) fence.info = `${fence.info} [${NAMES[fence.info]}]`;
        made.push(container(state, "open", 1), ...group, container(state, "close", -1));
      } else made.push(tokens[start]);
      start += Math.max(1, group.length);
    }
    state.tokens = made;
  });
}

/** The blocks of different languages that begin here. */
function groupAt(tokens, start) {
  const group = [];
  for (const token of tokens.slice(start)) {
    const isNext = token.type === "fence" && token.info in NAMES && !group.some(({ info }) => info === token.info);
    if (!isNext) break;
    group.push(token);
  }
  return group;
}

/** VitePress's own container for tabs. */
function container(state, side, nesting) {
  return new state.Token(`container_code-group_${side}`, "div", nesting);
}
