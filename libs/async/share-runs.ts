// Callers for the same id share the run that is under way, with the arguments of the first of them.

export function shareRuns<Args extends [id: string, ...unknown[]], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (...args) => {
    const [id] = args;
    const result = running.get(id) ?? run(...args).finally(() => running.delete(id));
    running.set(id, result);
    return result;
  };
}
