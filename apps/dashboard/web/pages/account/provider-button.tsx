// Signs in through the identity provider, if one is configured.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { Button } from "../../parts/button.tsx";
import { Failed } from "../../parts/states.tsx";

export function ProviderButton({ name }: { name: string }) {
  const begin = useMutation({
    mutationFn: () => call("begin-oidc"),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <>
      {begin.error ? <Failed error={begin.error} /> : null}
      {/* Busy until the browser has left. */}
      <Button busy={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
        <span className="min-w-0 truncate">Continue with {name}</span>
      </Button>
    </>
  );
}
