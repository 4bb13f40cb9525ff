// The span whose gains the page Members shows, in the person's time zone.
import { useForm } from "react-hook-form";
import { GainSpan } from "#contract/dashboard/gains.ts";
import { Button } from "../../parts/button.tsx";
import { fieldOf } from "../../parts/field-of.ts";
import { formResolver } from "../../parts/form-resolver.ts";
import { LocalTimeField } from "../../parts/local-time-field.tsx";
import { localText, timestampOf } from "../../parts/local-time.ts";

type Values = { from: string; to: string };
type Props = {
  /** Null: none is shown yet. */
  span: GainSpan | null;
  /** What the server says of this span. */
  fault?: string | undefined;
  onShow(span: GainSpan): void;
};

const SUGGESTED_DAYS = 30;

export function SpanForm({ span, fault, onShow }: Props) {
  const form = useForm<Values>({
    resolver: formResolver(GainSpan, spanOf),
    defaultValues: span ? { from: localText(Date.parse(span.from)), to: localText(Date.parse(span.to)) } : suggested(),
  });
  return (
    <form
      noValidate
      aria-label="Custom period"
      onSubmit={(event) => void form.handleSubmit((values) => onShow(spanOf(values)))(event)}
      className="mb-5 flex flex-wrap items-start gap-4"
    >
      <LocalTimeField label="From" local={form.watch("from")} {...fieldOf(form, "from")} />
      <LocalTimeField label="To" local={form.watch("to")} {...fieldOf(form, "to", fault)} />
      {/* Below the height of the labels. */}
      <div className="sm:mt-7">
        <Button type="submit" kind="primary">
          Show
        </Button>
      </div>
    </form>
  );
}

function spanOf({ from, to }: Values): GainSpan {
  return { from: timestampOf(from), to: timestampOf(to) };
}

/** The last 30 days and today, whole: with an award of this minute, too. */
function suggested(): Values {
  return { from: midnightIn(-SUGGESTED_DAYS), to: midnightIn(1) };
}

function midnightIn(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return localText(date.setHours(0, 0, 0, 0));
}
