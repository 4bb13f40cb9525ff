// R9 as a subject: its tables in the bench's PostgreSQL, its process, its books.
import pg from "pg";
import { freePort } from "../../scripts/services/ports.ts";
import { startNode, untilListening } from "../processes.ts";
import type { Servers } from "../servers.ts";
import { CLANS, MEMBERS } from "./reference.ts";
import type { Subject } from "./subject.ts";
import { memberOf } from "../load/plan.ts";

const TABLES = `
  CREATE TABLE members (clan_id text, platform_id text, xp bigint NOT NULL, PRIMARY KEY (clan_id, platform_id));
  CREATE TABLE ledger (
    clan_id text, platform_id text, key text, amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (clan_id, platform_id, key)
  );`;

/** Null where there is no PostgreSQL. */
export async function startPostgresReference({ postgres }: Servers, file: string): Promise<Subject | null> {
  if (!postgres) return null;
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(TABLES);
  const members = Array.from({ length: MEMBERS }, (_, index) => memberOf(index, CLANS.length));
  await client.query("INSERT INTO members SELECT *, 0 FROM unnest($1::text[], $2::text[])", [
    members.map(({ clan }) => CLANS[clan]?.clanId),
    members.map(({ platformId }) => platformId),
  ]);

  const port = await freePort();
  const api = startNode(file, { PORT: String(port), PG_URL: postgres.url });
  await untilListening(api, port);
  return {
    port,
    clans: CLANS,
    membersTotal: MEMBERS,
    pids: { api: [api.pid], postgres: [postgres.pid] },
    generator: null,
    async readTotals() {
      const { rows } = await client.query<{ xp: string; entries: string }>(
        "SELECT (SELECT sum(xp) FROM members) AS xp, (SELECT count(*) FROM ledger) AS entries",
      );
      return { xp: BigInt(rows[0]?.xp ?? 0), entries: BigInt(rows[0]?.entries ?? 0) };
    },
    verify: null,
    async close() {
      await api.stop();
      await client.end();
    },
  };
}
