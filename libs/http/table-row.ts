// Where Express routes a row of an endpoint table.

export function methodOf<Method extends string>({ method }: { method: Method }): Lowercase<Method> {
  return method.toLowerCase() as Lowercase<Method>;
}

/** Parameters in braces as Express writes them. */
export function pathOf({ path }: { path: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
