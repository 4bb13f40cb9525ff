// Tells a waiting person that something is still going on. Writes nothing for work that is quick.

const FIRST_AFTER_MS = 5_000;

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
  const timer = setInterval(() => log(`${what} ... ${seconds()} s`), FIRST_AFTER_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
