// Waits for something, but not for long. What is waited for goes on: whoever gives up on it says what becomes of it.

/** What `operation` gives, or an error that says `what` did not come in time. */
export async function within<T>(ms: number, operation: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([operation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
