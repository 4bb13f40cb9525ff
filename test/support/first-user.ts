// Makes a mongod that asks for passwords a replica set of one, and gives it its first user, who may do everything.
import { MongoClient, type MongoClientOptions } from "mongodb";
import { until } from "./until.ts";

type Client = MongoClient;

/** Then runs `act` as that user. */
export async function makeFirstUser(
  { port, password, tls = {} }: { port: number; password: string; tls?: MongoClientOptions },
  act: (client: Client) => Promise<void>,
): Promise<void> {
  const as = async (userInfo: string, run: (client: Client) => Promise<void>): Promise<void> => {
    const options = { directConnection: true, serverSelectionTimeoutMS: 60_000, ...tls };
    const client = await new MongoClient(`mongodb://${userInfo}127.0.0.1:${port}`, options).connect();
    try {
      await run(client);
    } finally {
      await client.close();
    }
  };
  // Before there is a user, a local client may create the first one, and no second.
  await as("", async (client) => {
    const admin = client.db("admin");
    await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] } });
    await until(async () => (await admin.command({ hello: 1 }))["isWritablePrimary"]);
    await admin.command({ createUser: "root", pwd: password, roles: ["root"] });
  });
  await as(`root:${password}@`, act);
}
