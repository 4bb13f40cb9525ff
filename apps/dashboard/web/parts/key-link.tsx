// What names an API key, with a link to its row on the page of the keys, if the person may open that page.
import type { ReactNode } from "react";
import { TextLink } from "./links.tsx";
import { useClan } from "./use-clan.ts";

export function KeyLink({ clanId, keyId, children }: { clanId: string; keyId: string; children: ReactNode }) {
  if (!useClan().mayReadKeys) return <span title={keyId}>{children}</span>;
  return (
    <TextLink to={`/clans/${encodeURIComponent(clanId)}/keys#${keyId}`} title={keyId} className="wrap-break-word!">
      {children}
    </TextLink>
  );
}
