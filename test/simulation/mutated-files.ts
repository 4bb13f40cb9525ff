// What a mistake of the list makes of the sources: the text of each file that it changes, by the file's path.

type Patch = { file: string; from: string; to: string };
/** `tests`: which must notice it; by default, those of the ledger and of events. */
export type Mutation = { name: string; patches: readonly Patch[]; tests?: readonly string[] };

/** Throws where a file does not have the text of a patch exactly once: then the patch would change nothing, or more. */
export function mutatedFiles({ patches }: Mutation, read: (file: string) => string): Map<string, string> {
  const files = new Map<string, string>();
  for (const { file, from, to } of patches) {
    const text = files.get(file) ?? read(file);
    if (text.split(from).length !== 2) throw new Error(`${file} does not have this text once: ${from}`);
    files.set(
      file,
      text.replace(from, () => to),
    );
  }
  return files;
}
