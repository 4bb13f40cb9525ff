// Shows the progress of an operation: on a terminal in one line that is replaced by the next output, elsewhere as lines
// every few seconds.

const TERMINAL_EVERY_MS = 1_000;
const LOG_EVERY_MS = 15_000;
const ERASE_REST = "\u001b[K";

/** What is in progress, with its start. */
const running = /** @type {Map<string, number>} */ (new Map());

/**
 * @template T
 * @param {(line: string) => void} log
 * @param {string} what
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(log, what, work) {
  const isTerminal = process.stderr.isTTY;
  const started = performance.now();
  const show = () => (isTerminal ? drawLine() : log(`${what} ... ${secondsSince(started)} s`));
  running.set(what, started);
  if (isTerminal) drawLine();
  else log(`${what} ...`);
  const timer = setInterval(show, isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    running.delete(what);
    if (isTerminal) drawLine();
    sayTime(log, what, started);
  }
}

/**
 * The same for an operation that is too short to be shown.
 * @template T
 * @param {(line: string) => void} log
 * @param {string} what
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
export async function timed(log, what, work) {
  const started = performance.now();
  try {
    return await work;
  } finally {
    sayTime(log, what, started);
  }
}

/**
 * With `--timings`, every step of a command says how long it took.
 * @param {(line: string) => void} log
 * @param {string} what
 * @param {number} started as `performance.now` says it
 */
export function sayTime(log, what, started) {
  if (process.argv.includes("--timings")) log(`${what}: ${((performance.now() - started) / 1_000).toFixed(2)} s`);
}

/** The cursor stays at the beginning of the line, so that whatever is printed next replaces it. */
function drawLine() {
  const text = [...running].map(([what, started]) => `${what} ... ${secondsSince(started)} s`).join(", ");
  process.stderr.write(`${text.slice(0, (process.stderr.columns || 80) - 1)}${ERASE_REST}\r`);
}

/** @param {number} started */
function secondsSince(started) {
  return Math.round((performance.now() - started) / 1000);
}
