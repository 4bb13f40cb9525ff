// The identity that the account is connected to, if a provider is configured.
import { useState } from "react";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Failed } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { IdentityDialog } from "./identity-dialog.tsx";

export function IdentitySection({ hasPassword }: { hasPassword: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useApi("read-identity", {});
  if (error) {
    return (
      <div className="mt-6 max-w-xl">
        <Failed error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data || data.provider === null) return null;
  const { provider, connectedAt } = data;
  return (
    <section className="mt-6 max-w-3xl">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold wrap-anywhere">{provider}</h2>
        <Button kind={connectedAt === null ? "plain" : "warning"} onClick={() => setIsOpen(true)}>
          {connectedAt === null ? "Connect" : "Disconnect"}
        </Button>
      </div>
      <p className="max-w-prose text-muted">
        {connectedAt === null ? (
          `Connect your ${provider} account to sign in with it.`
        ) : (
          <>
            Connected <Time at={connectedAt} />. You can sign in with your {provider} account.
          </>
        )}
      </p>
      {isOpen ? (
        <IdentityDialog
          provider={provider}
          isConnected={connectedAt !== null}
          hasPassword={hasPassword}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </section>
  );
}
