// Reading JSON of strangers: what does not have the expected form is absent.

/** Null if it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

export function fieldOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null ? (json as Record<string, unknown>)[name] : undefined;
}

export function textOf(json: unknown, name: string): string | null {
  const value = fieldOf(json, name);
  return typeof value === "string" ? value : null;
}

export function numberOf(json: unknown, name: string): number | null {
  const value = fieldOf(json, name);
  return typeof value === "number" ? value : null;
}

/** Null if it is no list. */
export function listOf(json: unknown, name?: string): readonly unknown[] | null {
  const value = name === undefined ? json : fieldOf(json, name);
  return Array.isArray(value) ? (value as readonly unknown[]) : null;
}
