// Which events of its clan a destination receives, as a filter: the same that isWanted decides
// (libs/usecases/destinations/wanted-events.ts). A test holds the two together, for every type.
import type { DestinationDoc } from "#store/destinations/destination-model.ts";

const UP = { $or: [{ type: "member.joined" }, { type: "member.rank_changed", "data.direction": "up" }] } as const;

export function wantedFilter({ _id, types, onlyUp }: Pick<DestinationDoc, "_id" | "types" | "onlyUp">): object {
  const chosen = { type: { $in: types.filter((type) => type !== "destination.disabled") }, ...(onlyUp ? UP : {}) };
  const othersDisabled = { type: "destination.disabled", "data.destinationId": { $ne: _id } } as const;
  return { $or: [chosen, othersDisabled] };
}
