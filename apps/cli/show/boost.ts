// Boosts in the output of the CLI.
import { factorOf, statusOf, type StoredBoost } from "#domain/boost.ts";
import { storedBoostResponse } from "#contract/render.ts";
import type { CommandResult } from "../cli.ts";
import type { Format } from "./format.ts";
import { table } from "./text.ts";

function boostJson(boost: StoredBoost) {
  const { boostId, ...facts } = storedBoostResponse(boost);
  return { boostId, clanId: boost.clanId, ...facts };
}

export function boostsResult(boosts: readonly StoredBoost[], now: Date): CommandResult {
  return {
    json: { boosts: boosts.map(boostJson) },
    text: (format) => (boosts.length === 0 ? "No boosts yet." : textOf(boosts, now, format)),
  };
}

export function boostResult(boost: StoredBoost, now: Date): CommandResult {
  return { json: boostJson(boost), text: (format) => textOf([boost], now, format) };
}

function textOf(boosts: readonly StoredBoost[], now: Date, { time }: Format): string {
  const rows = boosts.map((boost) => [
    boost.boostId,
    boost.name,
    factorOf(boost.percent),
    appliesTo(boost),
    time(boost.from),
    time(boost.endedAt ?? boost.to),
    statusOf(boost, now),
  ]);
  return table(["BOOST", "NAME", "FACTOR", "APPLIES TO", "STARTS", "ENDS", "STATE"], rows, ["FACTOR"]);
}

function appliesTo({ ranks, placeIds }: StoredBoost): string {
  const parts = [
    ...(ranks.length > 0 ? [`ranks ${ranks.join(", ")}`] : []),
    ...(placeIds.length > 0 ? [`places ${placeIds.join(", ")}`] : []),
  ];
  return parts.join("; ") || "every award";
}
