// A mistake that a test must notice, as a change of one file.

/** `from` is in the file once. `tests`: names of the test files, or the beginnings of them, that should notice it. */
export type Fault = { name: string; file: string; from: string; to: string; tests: readonly string[] };
