// Adds a season to a board of seasons.
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { SeasonTimes } from "#contract/dashboard/boards.ts";
import type { BoardResponse } from "#contract/board.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { timestampOf } from "../../parts/local-time.ts";
import { sentBy } from "../../parts/sent-by.ts";
import { useToast } from "../../parts/toasts.tsx";
import { SeasonFields, type SeasonValues } from "./season-fields.tsx";

type Props = { clanId: string; board: BoardResponse; onClose(): void };

export function AddSeasonDialog({ clanId, board: { boardId, name }, onClose }: Props) {
  const invalidate = useInvalidate();
  const toast = useToast();
  const form = useForm<SeasonValues>({
    resolver: formResolver(SeasonTimes, requestOf),
    defaultValues: { startsAt: "", endsAt: "" },
  });
  const add = useMutation({
    mutationFn: (values: SeasonValues) => call("add-season", { params: { clanId, boardId }, body: requestOf(values) }),
    onSuccess() {
      toast({ title: `Season added to ${name}` });
      onClose();
    },
    onSettled: () => invalidate("list-boards", "list-periods"),
  });
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
