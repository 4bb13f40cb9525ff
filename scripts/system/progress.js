// Shows the progress of an operation, immediately and then every few seconds.

const EVERY_MS = 5_000;

/**
 * @template T
 * @param {(line: string) => void} log
 * @param {string} what
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(log, what, work) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  log(`${what} ...`);
  const timer = setInterval(() => log(`${what} ... ${seconds()} s`), EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
