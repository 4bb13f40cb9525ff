// A key for an award that has none: unique, and not secret. No module of a runtime is imported, so that every bundler
// can resolve the package.

export function randomUuid(): string {
  // Node 18 has no global `crypto`.
  const { crypto } = globalThis as { crypto?: { randomUUID?: () => string } };
  return crypto?.randomUUID?.() ?? "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, hexDigit);
}

function hexDigit(): string {
  return Math.floor(Math.random() * 16).toString(16);
}
