// A batch's id, as a link to its page.
import { TextLink } from "./text-link.tsx";

export function BatchLink({ clanId, batchId }: { clanId: string; batchId: string }) {
  return (
    <TextLink
      to={`/clans/${encodeURIComponent(clanId)}/batches/${encodeURIComponent(batchId)}`}
      className="font-mono text-sm"
    >
      {batchId}
    </TextLink>
  );
}
