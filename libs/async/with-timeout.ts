// Waits for an operation for a bounded time. After a timeout the operation continues, and the caller decides how to
// handle it.

/** The result of `operation`, or the error `late` once `ms` have passed; a text names the operation. */
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
