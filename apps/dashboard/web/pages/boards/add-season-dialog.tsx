// Adds a season to a board of seasons.
import { useForm } from "react-hook-form";
import { SeasonTimes } from "#contract/dashboard/boards.ts";
import type { BoardResponse } from "#contract/board.ts";
import { useAction } from "../../api/use-action.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { timestampOf } from "../../parts/local-time.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { SeasonFields, type SeasonValues } from "./season-fields.tsx";

type Props = { clanId: string; board: BoardResponse; onClose(): void };

export function AddSeasonDialog({ clanId, board: { boardId, name }, onClose }: Props) {
  const form = useForm<SeasonValues>({
    resolver: formResolver(SeasonTimes, requestOf),
    defaultValues: { startsAt: "", endsAt: "" },
  });
  const add = useAction(
    "add-season",
    (values: SeasonValues) => ({ params: { clanId, boardId }, body: requestOf(values) }),
    {
      note: () => ({ title: `Season added to ${name}` }),
      refreshes: ["list-boards", "list-periods"],
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={`Add season to ${name}`}
      description="Seasons do not overlap. A season in the past counts the awards of that time."
      submit="Save"
      {...sentBy(add, form)}
      onClose={onClose}
    >
      <SeasonFields form={form} />
    </FormDialog>
  );
}

function requestOf({ startsAt, endsAt }: SeasonValues): SeasonTimes {
  return { startsAt: timestampOf(startsAt), endsAt: timestampOf(endsAt) };
}
