// Every subject by name, and how it is started. Null: it cannot be here, which was said aloud.
import type { Servers } from "../servers.ts";
import { startOurs } from "./ours.ts";
import { startReference, type ReferenceFacts } from "./reference.ts";
import type { Subject } from "./subject.ts";

const references = "test/bench/references";
const reference = (name: string, facts: ReferenceFacts) => (servers: Servers) => startReference(servers, name, facts);

export const subjects = {
  async ours(servers) {
    const ours = await startOurs(servers, { name: "ours" });
    ours.startWorker();
    return ours;
  },
  r1: reference("r1", { file: `${references}/r1-increment.ts`, books: { hasLedger: false } }),
  r2: reference("r2", { file: `${references}/r2-naive-twin.ts`, books: { hasLedger: true }, usesRedis: true }),
  r3: reference("r3", { file: `${references}/r3-transaction.ts`, books: { hasLedger: true } }),
} satisfies Record<string, (servers: Servers) => Promise<Subject | null>>;

export type SubjectName = keyof typeof subjects;
