// The only import from a runtime: Node 18 has no global `crypto`.
declare module "node:crypto" {
  export function randomUUID(): string;
}
