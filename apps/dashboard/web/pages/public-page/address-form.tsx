// The address of the public page: before the page is published, the one that it is to get.
import { useState } from "react";
import type { PublicPageFacts } from "#contract/dashboard/public-page.ts";
import { isSlug, SLUG_FORM, SLUG_RESERVED_DAYS } from "#domain/public-page.ts";
import { Button } from "../../parts/button.tsx";
import { faultOf } from "../../parts/error-texts.ts";
import { Failed } from "../../parts/states.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useChangePage } from "./use-change-page.ts";

export function AddressForm({ clanId, page }: { clanId: string; page: PublicPageFacts["page"] }) {
  const stored = page?.slug ?? "";
  const [typed, setTyped] = useState(stored);
  const [fault, setFault] = useState<string>();
  const change = useChangePage(clanId);
  const toast = useToast();
  const slug = typed.trim();
  const sentFault = faultOf(change.error, "/slug");

  function submit(): void {
    const isGiven = page !== null || slug !== "";
    if (isGiven && !isSlug(slug)) return setFault(`must have ${SLUG_FORM}`);
    change.mutate(
      { publish: true, ...(isGiven ? { slug } : {}) },
      {
        onSuccess(changed) {
          setTyped(changed.page?.slug ?? slug);
          toast({ title: page === null ? "The page is published" : "The address is changed" });
        },
      },
    );
  }

  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) submit();
      }}
    >
      {change.error && sentFault === undefined ? <Failed error={change.error} /> : null}
      <TextField
        label="Address"
        hint={
          page === null
            ? "The end of the page's address. Leave it empty to use the clan's name."
            : `The end of the page's address. No other clan gets the old one for ${SLUG_RESERVED_DAYS} days.`
        }
        error={fault ?? sentFault}
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setFault(undefined);
          change.reset();
        }}
      />
      <div>
        <Button
          type="submit"
          kind={page === null ? "primary" : "plain"}
          busy={change.isPending}
          disabled={page !== null && slug === stored}
        >
          {page === null ? "Publish" : "Change address"}
        </Button>
      </div>
    </form>
  );
}
