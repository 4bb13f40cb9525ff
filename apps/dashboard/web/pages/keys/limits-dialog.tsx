// How many requests a key may send, and how much XP it may award.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { KeyLimitsRequest, type ListedKey } from "#contract/dashboard/keys.ts";
import { call } from "../../api/call.ts";
import { useApi, useInvalidate } from "../../api/use-api.ts";
import { Fact } from "../../parts/fact.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { limitOf, numberText } from "../../parts/numbers.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { NumberField } from "../../parts/number-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import { useUndo } from "../../parts/use-undo.ts";
import { BudgetFields } from "./budget-fields.tsx";

type Values = { requestsPerSecond: string; amountMax: string; xpPerDay: string };
type Props = { clanId: string; limited: ListedKey; onClose(): void };

export function LimitsDialog({ clanId, limited, onClose }: Props) {
  // The limits as they were when the dialog opened.
  const { keyId, name, limits } = limited;
  const invalidate = useInvalidate();
  const toast = useToast();
  const undo = useUndo();
  const form = useForm<Values>({
    resolver: formResolver(KeyLimitsRequest, requestOf),
    defaultValues: {
      requestsPerSecond: textOf(limits.requestsPerSecond),
      amountMax: textOf(limits.amountMax),
      xpPerDay: textOf(limits.xpPerDay),
    },
  });
  const save = useMutation({
    mutationFn: (values: Values) => set(requestOf(values)),
    onSuccess() {
      toast({
        title: `Limits of ${name} saved`,
        undo: undo(async () => {
          await set(limits);
          await invalidate("list-keys");
        }),
      });
      onClose();
    },
    onSettled: () => invalidate("list-keys"),
  });

  function set(body: KeyLimitsRequest) {
    return call("limit-key", { params: { clanId, keyId }, body });
  }

  return (
    <FormDialog
      title={`Limits of ${name}`}
      description="They bound what somebody can do with the key if it leaks. An empty field is no limit."
      submit="Save"
      {...sentBy(save, form)}
      onClose={onClose}
    >
      <NumberField
        label="Requests per second"
        hint="For a moment, four times as many are accepted."
        {...fieldOf(form, "requestsPerSecond")}
      />
      <BudgetFields amountMax={fieldOf(form, "amountMax")} xpPerDay={fieldOf(form, "xpPerDay")} />
      <dl>
        <Fact name="Used today">
          <Used clanId={clanId} limited={limited} />
        </Fact>
      </dl>
    </FormDialog>
  );
}

/** As of now, while the dialog is open. */
function Used({ clanId, limited }: { clanId: string; limited: ListedKey }) {
  const { data } = useApi("list-keys", { params: { clanId } });
  const { spentToday, limits } = data?.keys.find(({ keyId }) => keyId === limited.keyId) ?? limited;
  if (spentToday === null || limits.xpPerDay === null) return "Counted once XP per day is set.";
  return `${numberText(spentToday)} of ${numberText(limits.xpPerDay)} XP`;
}

function textOf(limit: number | null): string {
  return limit === null ? "" : numberText(limit);
}

function requestOf({ requestsPerSecond, amountMax, xpPerDay }: Values): KeyLimitsRequest {
  return {
    requestsPerSecond: limitOf(requestsPerSecond),
    amountMax: limitOf(amountMax),
    xpPerDay: limitOf(xpPerDay),
  };
}
