// Whether a server can hold the database: the primary of a replica set, or a router (mongos). Readiness and the doctor
// use the same check, so that they report the same.
import type { Document } from "mongodb";
import type { ServerFault } from "#operations/ports.ts";

/** A server that runs alone commits no transaction, and acknowledges what it loses in a crash. */
export const STANDALONE: ServerFault = {
  detail: "a standalone server; a replica set is required",
  fix: "Start mongod with --replSet rs0 and run rs.initiate() once: one node is enough.",
};

/** By the server's response to `hello`; null if nothing is wrong. */
export function findReplicaSetFault(hello: Document): ServerFault | null {
  if (isRouter(hello)) return null;
  const name: unknown = hello["setName"];
  if (typeof name === "string") {
    if (hello["isWritablePrimary"] === true) return null;
    return {
      detail: `${name} has no writable primary here`,
      fix: "See rs.status(), and name all members in MONGO_URL.",
    };
  }
  if (hello["isreplicaset"] === true)
    return { detail: "a replica set that was not initiated", fix: "Run rs.initiate() once in its shell." };
  return STANDALONE;
}

/** The name of the replica set, or what the server is instead. */
export function replicaSetIn(hello: Document): string {
  return isRouter(hello) ? "a router (mongos)" : String(hello["setName"]);
}

export function isRouter(hello: Document): boolean {
  return hello["msg"] === "isdbgrid";
}
