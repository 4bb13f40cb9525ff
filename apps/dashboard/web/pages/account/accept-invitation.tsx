// An invitation of a name that has an account: its person signs in, and accepts the role in the clan.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import type { LinkFacts } from "#contract/dashboard/account.ts";
import { call } from "../../api/call.ts";
import { useMe } from "../../api/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { Name } from "../../parts/name.tsx";
import { asRole, roleTexts } from "../../parts/role-texts.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { Card } from "./card.tsx";
import { SignInPage } from "./sign-in-page.tsx";

type Props = { token: string; invitation: Extract<LinkFacts, { kind: "accept" }> };

export function AcceptInvitation({ token, invitation }: Props) {
  const me = useMe();
  const { accountName, clanName } = invitation;
  if (me.isPending) return <Loading what="your account" />;
  if (me.data === undefined) {
    return (
      <Card title="Invitation not opened">
        <Failed error={me.error ?? new Error()} onRetry={() => void me.refetch()} />
      </Card>
    );
  }
  if (me.data === null)
    return <SignInPage note={`Sign in as ${accountName} to accept the invitation to ${clanName}.`} />;
  return me.data.name === accountName ? (
    <Accept token={token} invitation={invitation} />
  ) : (
    <OtherAccount accountName={accountName} own={me.data.name} />
  );
}

function Accept({ token, invitation: { accountName, clanName, role } }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => call("accept-invitation", { body: { token } }),
    async onSuccess({ clanId }) {
      client.clear();
      await navigate(`/clans/${clanId}`, { replace: true });
    },
  });
  useEffect(() => {
    document.title = "Invitation · Clan XP";
  }, []);
  return (
    <Card title={`Invitation to ${clanName}`}>
      <p className="mb-4 text-muted">
        You are signed in as <Name>{accountName}</Name>. As {asRole(role)}, you {roleTexts[role].may}.
      </p>
      {accept.error ? (
        <div className="mb-4">
          <Failed error={accept.error} />
        </div>
      ) : null}
      <Button kind="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
        Accept
      </Button>
    </Card>
  );
}

function OtherAccount({ accountName, own }: { accountName: string; own: string }) {
  const client = useQueryClient();
  const signOut = useMutation({ mutationFn: () => call("sign-out"), onSettled: () => client.resetQueries() });
  return (
    <Card title="Invitation for another account">
      <p className="mb-4 text-muted">
        This invitation is for <Name>{accountName}</Name>, and you are signed in as <Name>{own}</Name>.
      </p>
      <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </Card>
  );
}
