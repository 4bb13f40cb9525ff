// Roblox's data stores, shared by the servers of an experience: their limits, failures and conflicts.
import type { Answered, SentRequest } from "./game-server.ts";

type Kind = "reads" | "writes" | "lists";
type Op = "set" | "remove" | "update" | "replace" | "list";
type Call = {
  op: Op;
  store: string;
  players: number;
  key?: string;
  value?: string;
  userIds?: number[];
  version?: number;
  prefix?: string;
  size?: number;
  cursor?: string;
};
type Stored = { value: string; version: number; userIds: number[] };
export type DataStores = {
  respond: (server: number, request: SentRequest) => Answered;
  entries: Map<string, Stored>;
  /** The keys of all values that were ever set. */
  keys: Set<string>;
  /** The most of its budget that a server used in any minute, as a share. */
  shareUsed(): number;
};
/**
 * `failed`: before it has worked; `unanswered`: after it has worked; `late`: after longer than callers wait;
 * `overtaken`: another server writes between the halves of an update.
 */
export type Trouble = "throttled" | "failed" | "unanswered" | "late" | "overtaken";

const KEY_CHARS_MAX = 50;
const VALUE_CHARS_MAX = 4_194_304;
const LATE_SECONDS = 15;
const kindsOf: Record<Op, Kind[]> = {
  set: ["writes"],
  remove: ["writes"],
  update: ["reads", "writes"],
  // The second half of an update.
  replace: [],
  list: ["lists"],
};

/** Of so many calls one fails, every other of these after it has worked; 1: all fail before. */
function everyFew(failures: number): (call: number, op: Op) => Trouble | undefined {
  return (call) => {
    if (call % failures !== 0) return undefined;
    return failures === 1 || (call / failures) % 2 === 0 ? "failed" : "unanswered";
  };
}

export function makeDataStores({ failures = Infinity, trouble = everyFew(failures) } = {}): DataStores {
  const entries = new Map<string, Stored>();
  const keys = new Set<string>();
  const used = new Map<string, { at: number; limit: number }[]>();
  let [calls, versions, share] = [0, 0, 0];

  /** False: throttled. */
  function count(server: number, kind: Kind, at: number, players: number): boolean {
    const limit = kind === "lists" ? 5 + 2 * players : 60 + 40 * players;
    const name = `${server} ${kind}`;
    const recent = (used.get(name) ?? []).filter((call) => call.at > at - 60);
    used.set(name, [...recent, { at, limit }]);
    // What players who have left have allowed may be used up still.
    const allowed = Math.max(limit, ...recent.map((call) => call.limit));
    share = Math.max(share, (recent.length + 1) / allowed);
    return recent.length < allowed;
  }

  function store(key: string, { value = "", userIds = [] }: Call): void {
    if (key.length > KEY_CHARS_MAX) throw new Error("KeyNameLimit");
    if (value.length > VALUE_CHARS_MAX) throw new Error("ValueTooLarge");
    versions += 1;
    keys.add(key);
    entries.set(key, { value, version: versions, userIds });
  }

  function list({ prefix = "", size = 50, cursor = "" }: Call): object {
    const found = [...entries.keys()].filter((key) => key.startsWith(prefix) && key > cursor).toSorted();
    const page = found.slice(0, size);
    return { keys: page, ...(found.length > size ? { cursor: page.at(-1) } : {}) };
  }

  function apply(call: Call, isOvertaken: boolean): object {
    const key = call.key ?? "";
    const found = entries.get(key);
    if (found && isOvertaken) found.version = versions += 1;
    switch (call.op) {
      case "list":
        return list(call);
      case "update":
        return found ?? { version: 0 };
      case "replace":
        // Another server was faster: the update runs again with what that one wrote.
        if ((found?.version ?? 0) !== call.version) return found ?? { version: 0 };
        store(key, call);
        return { replaced: true };
      case "set":
        store(key, call);
        return {};
      case "remove":
        entries.delete(key);
        return {};
      default:
        return call.op satisfies never;
    }
  }

  return {
    entries,
    keys,
    shareUsed: () => share,
    respond(server, { at, body = "" }) {
      const call = JSON.parse(body) as Call;
      const isFree = kindsOf[call.op].map((kind) => count(server, kind, at, call.players)).every(Boolean);
      if (!isFree) return { raise: "502: request was throttled" };
      calls += 1;
      const met = trouble(calls, call.op);
      if (met === "throttled") return { raise: "502: request was throttled" };
      if (met === "failed") return { raise: "502: API Services rejected request" };
      try {
        const response = Response.json(apply(call, call.op === "replace" && met === "overtaken"));
        if (met === "unanswered") return { raise: "504: no answer" };
        return { response, afterSeconds: met === "late" ? LATE_SECONDS : 0.1 + (calls % 4) / 10 };
      } catch (error) {
        return { raise: String(error) };
      }
    },
  };
}
