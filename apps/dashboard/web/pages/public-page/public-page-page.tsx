// The clan's public page, for its owners: a preview, what it shows, its address, and the members whom it hides.
import { useId, useState } from "react";
import type { PublicPageFacts } from "#contract/dashboard/public-page.ts";
import { addressOf } from "../../api/address-of.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { AddressForm } from "./address-form.tsx";
import { HiddenPlayers } from "./hidden-players.tsx";
import { PageSettings } from "./page-settings.tsx";
import { UnpublishDialog } from "./unpublish-dialog.tsx";

export function PublicPagePage() {
  const { clanId, name } = useClan();
  const facts = useApi("read-public-page", { params: { clanId } });
  const [isOpen, setIsOpen] = useState(false);
  const page = facts.data?.page ?? null;
  return (
    <Page
      title="Public page"
      actions={
        page ? (
          <div className="flex flex-wrap gap-2">
            <CopyButton text={page.url}>Copy link</CopyButton>
            <Button kind="warning" onClick={() => setIsOpen(true)}>
              Unpublish
            </Button>
          </div>
        ) : null
      }
    >
      <p className="mb-5 max-w-prose text-muted">
        A page with the leaderboard and the boards of your clan, which anybody may read. It shows no player IDs.
      </p>
      <Loaded query={facts} what="the public page">
        {(loaded) => <Parts clanId={clanId} name={name} facts={loaded} />}
      </Loaded>
      {isOpen ? <UnpublishDialog clanId={clanId} onClose={() => setIsOpen(false)} /> : null}
    </Page>
  );
}

type PartsProps = { clanId: string; name: string; facts: PublicPageFacts };

function Parts({ clanId, name, facts }: PartsProps) {
  const { page, settings, isServed } = facts;
  const preview = addressOf("preview-public-page", { params: { clanId } }).url;
  return (
    <>
      {isServed ? null : (
        <p className="mb-5 rounded-xl bg-warn-soft p-4 text-warn-ink">
          The operators have turned public pages off: nobody can open the page.
        </p>
      )}
      <div className="grid gap-5 xl:grid-cols-2">
        <div className="grid content-start gap-5">
          <Panel title={page ? "Published" : "Not published"} note={page ? <Link url={page.url} /> : undefined}>
            <AddressForm key={page?.slug ?? ""} clanId={clanId} page={page} />
          </Panel>
          <Panel title="Settings">
            <PageSettings clanId={clanId} settings={settings} />
          </Panel>
          {page ? <EmbedCode name={name} url={page.url} isPermitted={settings.frames !== "none"} /> : null}
        </div>
        <Panel title="Preview">
          {/* Without scripts, and its links lead nowhere. A change loads it again. */}
          <iframe
            key={JSON.stringify(settings)}
            title="Preview of the public page"
            src={preview}
            sandbox=""
            className="h-160 w-full rounded-lg border border-line"
          />
        </Panel>
      </div>
      <h2 className="mt-8 mb-3 text-lg font-semibold">Hidden players</h2>
      <HiddenPlayers clanId={clanId} />
    </>
  );
}

function Link({ url }: { url: string }) {
  return (
    <a href={url} className="wrap-anywhere text-accent-ink underline">
      {url}
    </a>
  );
}

function EmbedCode({ name, url, isPermitted }: { name: string; url: string; isPermitted: boolean }) {
  const id = useId();
  const title = name.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const code = `<iframe src="${url}/embed" title="${title}" width="400" height="480" style="border: 0"></iframe>`;
  return (
    <Panel title="Embed the leaderboard" note={isPermitted ? undefined : "Switch Embedding on, so that web sites may."}>
      {/* With the keyboard, the arrow keys scroll it. */}
      <pre
        id={id}
        tabIndex={0}
        role="region"
        aria-label="Code to embed"
        className="overflow-auto rounded-lg bg-sunken p-3 font-mono text-sm"
      >
        {code}
      </pre>
      <div className="mt-2 flex flex-wrap justify-end">
        <CopyButton text={code} shownIn={id}>
          Copy code
        </CopyButton>
      </div>
    </Panel>
  );
}
