// Who makes the changes of tests.
import type { Actor } from "#domain/audit.ts";

export const testActor: Actor = { actor: "test", via: "cli" };
