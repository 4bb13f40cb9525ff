// Names the clan's disabled destinations, on every page of the clan: nothing is sent there until somebody acts.
import { useApi } from "../api/use-api.ts";
import { DestinationLink } from "./links.tsx";

/** People act within minutes at best. */
const REFRESH_MS = 30_000;

export function DisabledDestinations({ clanId }: { clanId: string }) {
  const list = useApi("list-disabled-destinations", { params: { clanId } }, { refetchMs: REFRESH_MS });
  const disabled = list.data?.destinations ?? [];
  if (disabled.length === 0) return null;
  return (
    <p role="status" className="bg-danger-soft px-4 py-2 text-danger-ink sm:px-8">
      {disabled.map(({ destinationId, name }, index) => (
        <span key={destinationId}>
          {index === 0 ? "Nothing is sent to " : ", "}
          <DestinationLink destination={{ clanId, destinationId, name }} />
        </span>
      ))}
      : {disabled.length === 1 ? "the destination is" : "the destinations are"} disabled.
    </p>
  );
}
