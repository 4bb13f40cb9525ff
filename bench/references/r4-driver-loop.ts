// R4: R1's update in a bare loop around the driver, without HTTP: what the database gives to one update at a time.
import { serveLoop } from "./loop.ts";
import { openMongo, type MemberDoc } from "./serve.ts";

const members = (await openMongo()).db().collection<MemberDoc>("members");
serveLoop(([award]) =>
  members.findOneAndUpdate(
    { _id: award?.memberId ?? "" },
    { $inc: { xp: award?.amount ?? 0 } },
    { returnDocument: "after" },
  ),
);
