// R5: an unordered bulkWrite of a $inc for each award, without HTTP, ledger or key: the fastest way to write a batch at
// all.
import { serveLoop } from "./loop.ts";
import { openMongo, type MemberDoc } from "./serve.ts";

const members = (await openMongo()).db().collection<MemberDoc>("members");
serveLoop((awards) =>
  members.bulkWrite(
    awards.map(({ memberId, amount }) => ({
      updateOne: { filter: { _id: memberId }, update: { $inc: { xp: amount } } },
    })),
    { ordered: false },
  ),
);
