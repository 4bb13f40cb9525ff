// Signs in with a passkey: the browser lists those of the device.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { requestPasskey } from "../../api/passkeys.ts";
import { Button } from "../../parts/button.tsx";
import { Failed } from "../../parts/states.tsx";

export function PasskeyButton() {
  const client = useQueryClient();
  const signIn = useMutation({
    async mutationFn() {
      const { options } = await call("begin-passkey-sign-in");
      return call("sign-in-with-passkey", { body: { credential: await requestPasskey(options) } });
    },
    // Data of a previous person in this browser must not be shown to this one.
    onSuccess: () => client.resetQueries(),
  });
  return (
    <>
      {signIn.error ? <Failed error={signIn.error} /> : null}
      <Button busy={signIn.isPending} onClick={() => signIn.mutate()}>
        Use a passkey
      </Button>
    </>
  );
}
