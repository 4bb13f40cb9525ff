// Which events of its clan a destination receives, as a filter: the same that isWanted decides
// (libs/delivery/wanted-events.ts). A test holds the two together, for every type.
import type { DestinationDoc } from "#delivery/store/destination-model.ts";

const UP = { $or: [{ type: "member.joined" }, { type: "member.rank_changed", "data.direction": "up" }] } as const;

export function wantedFilter({ _id, types, only }: Pick<DestinationDoc, "_id" | "types" | "only">): object {
  const isUp = only === "up";
  const chosen = { type: { $in: types.filter((type) => type !== "destination.disabled") }, ...(isUp ? UP : {}) };
  if (only === "summaries") return chosen;
  const othersDisabled = { type: "destination.disabled", "data.destinationId": { $ne: _id } } as const;
  return { $or: [chosen, othersDisabled] };
}
