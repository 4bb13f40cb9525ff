// The button for the next page of a list, if there is one.
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "./button.tsx";

type Props = {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "isPlaceholderData" | "fetchNextPage">;
  label: string;
  onMore?: (() => void) | undefined;
};

export function ShowMore({ list, label, onMore }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button
        busy={list.isFetchingNextPage}
        disabled={list.isPlaceholderData}
        onClick={() => {
          onMore?.();
          void list.fetchNextPage();
        }}
      >
        {label}
      </Button>
    </div>
  );
}
