// Checks the shard keys of a sharded cluster.
import { fail, ok, type Check } from "#operations/check.ts";
import { indexNameOf, isSupported, textOf } from "#operations/shard-keys.ts";
import type { IndexFacts, MongoFacts } from "#operations/ports.ts";

/** None unless the server is a router. */
export function checkShardKeys(found: MongoFacts["shardKeys"]): Check[] {
  const name = "mongo shard keys";
  if (found === null) return [];
  if (found === "unreported") return [ok(name, "the server does not report them")];
  if (found.length === 0) return [ok(name, "no collection is sharded")];
  const unsupported = found.filter((key) => !isSupported(key));
  if (unsupported.length === 0) return [ok(name, found.map(textOf).join("; "))];
  return [
    fail(
      name,
      `not supported: ${unsupported.map(textOf).join("; ")}`,
      "Reshard by a supported key, or unshard the collection (docs/how-to/scale-mongodb.md#supported-shard-keys).",
    ),
  ];
}

/** The index of a shard key is none of ours, and required. */
export function withoutShardKeys(index: IndexFacts, found: MongoFacts["shardKeys"]): IndexFacts {
  if (found === null || found === "unreported") return index;
  const names = found.filter(({ collection }) => collection === index.collection).map(indexNameOf);
  return { ...index, unexpected: index.unexpected.filter((name) => !names.includes(name)) };
}
