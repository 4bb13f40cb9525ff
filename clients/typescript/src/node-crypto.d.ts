// The one thing of the runtimes that is imported: Node 18 has no global `crypto`.
declare module "node:crypto" {
  export function randomUUID(): string;
}
