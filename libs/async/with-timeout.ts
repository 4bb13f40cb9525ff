// Waits for something, but not for long. The operation goes on: whoever gives up on it says what becomes of it.

/** What `operation` gives, or the error `late` once `ms` have passed; a text says what has not come. */
export async function withTimeout<T>(operation: Promise<T>, ms: number, late: string | (() => Error)): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(typeof late === "string" ? new Error(`${late} within ${ms} ms`) : late()),
    ms,
  );
  try {
    return await Promise.race([operation, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
