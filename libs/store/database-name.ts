// The name of the database in MONGO_URL. Names in Redis begin with it, too.

const DATABASE_NAME = "clanxp";

export function databaseName(url: string): string {
  return /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]+)/.exec(url)?.[1] ?? DATABASE_NAME;
}
