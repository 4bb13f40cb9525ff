// The name of the database that MONGO_URL chooses: what belongs to it in Redis is named by it, too.

const DATABASE_NAME = "clanxp";

export function databaseName(url: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DATABASE_NAME;
}
