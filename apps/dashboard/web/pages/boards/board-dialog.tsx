// Makes a board, or changes one. The next boundaries are shown before it is saved.
import { useMutation } from "@tanstack/react-query";
import { useForm, type UseFormReturn } from "react-hook-form";
import type { BoardResponse } from "#contract/board.ts";
import { AddBoardRequest, ChangeBoardRequest } from "#contract/dashboard/boards.ts";
import { MONTH_DAY_MAX, weekdays } from "#domain/board.ts";
import { call } from "../../api/call.ts";
import { useInvalidate } from "../../api/use-api.ts";
import { fieldOf } from "../../parts/field-of.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { formResolver } from "../../parts/form-resolver.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { sentBy } from "../../parts/sent-by.ts";
import { TextField } from "../../parts/text-field.tsx";
import { TimeZoneField } from "../../parts/time-zone-field.tsx";
import { useToast } from "../../parts/toasts.tsx";
import {
  addRequestOf,
  boardFields,
  boardIdOf,
  changeRequestOf,
  valuesOf,
  valuesOfNew,
  type BoardValues,
} from "./board-values.ts";
import { Boundaries } from "./boundaries.tsx";
import { SeasonFields } from "./season-fields.tsx";

const kinds = [
  ["day", "Every day"],
  ["week", "Every week"],
  ["month", "Every month"],
] as const;
const days = weekdays.map((day) => [day, `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`] as const);

/** `board` null: a new one. */
export function BoardDialog(props: { clanId: string; board: BoardResponse | null; onClose(): void }) {
  const { clanId, board, onClose } = props;
  const invalidate = useInvalidate();
  const toast = useToast();
  const form = useForm<BoardValues>({
    resolver: board
      ? formResolver(ChangeBoardRequest, changeRequestOf, boardFields)
      : formResolver(AddBoardRequest, addRequestOf, boardFields),
    defaultValues: board ? valuesOf(board) : valuesOfNew(),
  });
  const save = useMutation({
    mutationFn: (values: BoardValues) =>
      board
        ? call("change-board", { params: { clanId, boardId: board.boardId }, body: changeRequestOf(values) })
        : call("add-board", { params: { clanId }, body: addRequestOf(values) }),
    onSuccess({ name }) {
      toast({ title: board ? `${name} saved` : `${name} added` });
      onClose();
    },
    onSettled: () => invalidate("list-boards", "list-periods"),
  });
  // Until the person enters another one.
  const suggestId = ({ target }: { target: { value: string } }): void => {
    if (!board && !form.getFieldState("boardId", form.formState).isDirty)
      form.setValue("boardId", boardIdOf(target.value));
  };
  const faults = form.formState.errors;
  const every = form.watch("every");
  return (
    <FormDialog
      title={board ? `Edit ${board.name}` : "Add board"}
      description={
        board
          ? "A changed schedule begins when the running period ends."
          : "It counts the XP that members gain in each period, from the ledger: past awards count, too."
      }
      submit="Save"
      {...sentBy(save, form)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        error={faults.name?.message}
        placeholder="Weekly"
        {...form.register("name", { onChange: suggestId })}
      />
      {board ? null : <BoardIdField form={form} />}
      <ScheduleFields form={form} board={board} />
      <TextField
        label="Settles for (hours)"
        hint="How long a reversal still changes a period that has ended, 0 to 168. Then the period is final."
        inputMode="decimal"
        {...fieldOf(form, "settleHours")}
      />
      {every === "season" ? null : (
        <Boundaries clanId={clanId} boardId={board?.boardId ?? null} values={form.watch()} />
      )}
    </FormDialog>
  );
}

function RhythmFields({ form }: { form: UseFormReturn<BoardValues> }) {
  const every = form.watch("every");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {every === "week" ? <SelectField label="On" options={days} {...form.register("weekday")} /> : null}
        {every === "month" ? (
          <TextField label="On day" hint={`1 to ${MONTH_DAY_MAX}`} inputMode="numeric" {...fieldOf(form, "monthDay")} />
        ) : null}
        <TextField label="At" type="time" {...fieldOf(form, "at")} />
      </div>
      <TimeZoneField {...fieldOf(form, "timeZone")} />
    </>
  );
}

function BoardIdField({ form }: { form: UseFormReturn<BoardValues> }) {
  return (
    <TextField
      label="Board ID"
      hint="Game servers read the board by it: 1 to 32 characters of a-z 0-9 -"
      placeholder="weekly"
      {...fieldOf(form, "boardId")}
    />
  );
}

/** `board` null: a new one, which may also count past days or have seasons. */
function ScheduleFields({ form, board }: { form: UseFormReturn<BoardValues>; board: BoardResponse | null }) {
  const every = form.watch("every");
  if (board?.every === "season") return null;
  return (
    <>
      <SelectField
        label="Periods"
        options={board ? kinds : [...kinds, ["season", "Seasons"]]}
        {...form.register("every")}
      />
      {every === "season" ? <SeasonFields form={form} /> : <RhythmFields form={form} />}
      {every === "season" || board ? null : (
        <TextField
          label="Count from"
          hint="The first period contains this day, at most 400 days ago. Empty: today."
          error={form.formState.errors.from && "must be a date"}
          type="date"
          {...form.register("from")}
        />
      )}
    </>
  );
}
