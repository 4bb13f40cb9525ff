// Sets of ranks to begin with, for a clan that has the guest rank alone.
import type { RankKind } from "#domain/rank.ts";
import { Button } from "../../parts/button.tsx";
import { Panel } from "../../parts/panel.tsx";
import type { RankRow } from "./rank-draft.ts";

type Rank = readonly [name: string, kind: RankKind, threshold?: string];

const sets: readonly (readonly [name: string, ranks: readonly Rank[]])[] = [
  [
    "Roblox group",
    [
      ["Member", "NORMAL", "0"],
      ["Regular", "NORMAL", "500"],
      ["Veteran", "NORMAL", "2,500"],
      ["Legend", "NORMAL", "10,000"],
      ["Moderator", "STAFF"],
      ["Owner", "OWNER"],
    ],
  ],
  [
    "Guild",
    [
      ["Initiate", "NORMAL", "0"],
      ["Adventurer", "NORMAL", "1,000"],
      ["Champion", "NORMAL", "5,000"],
      ["Hero", "NORMAL", "20,000"],
      ["Officer", "STAFF"],
      ["Guild master", "OWNER"],
    ],
  ],
  [
    "Military",
    [
      ["Recruit", "NORMAL", "0"],
      ["Private", "NORMAL", "250"],
      ["Corporal", "NORMAL", "1,000"],
      ["Sergeant", "NORMAL", "3,000"],
      ["Lieutenant", "NORMAL", "8,000"],
      ["Captain", "NORMAL", "20,000"],
      ["Major", "STAFF"],
      ["General", "OWNER"],
    ],
  ],
];

type Props = { rows: readonly RankRow[]; onChoose(rows: readonly RankRow[]): void };

export function RankSets({ rows, onChoose }: Props) {
  return (
    <div className="mb-5">
      <Panel title="Begin with a set of ranks" note="You can change each of them before you save.">
        <div className="flex flex-wrap gap-2">
          {sets.map(([name, ranks]) => (
            <Button key={name} onClick={() => onChoose([...rows, ...ranks.map(rowOf)])}>
              {name}
            </Button>
          ))}
        </div>
      </Panel>
    </div>
  );
}

function rowOf([name, kind, threshold = ""]: Rank, index: number): RankRow {
  return { key: SET_KEYS + index, name, kind, threshold, was: null };
}

/** Beyond the keys of rows that are stored or added one by one. */
const SET_KEYS = 1_000;
