// The settings of destinations: of the notifier, and, for the secrets and the URLs that people enter, of the dashboard
// and the command line. Durations accept fractions, so that a test can shorten them.
import { z } from "zod";
import { isSecretsKey, NO_SECRETS_KEY } from "#process/noted-settings.ts";
import { blocksFault, blocksIn } from "#process/private-blocks.ts";

export const secretsKey = z.string().refine(isSecretsKey, NO_SECRETS_KEY);

const blocks = z
  .string()
  .transform(blocksIn)
  .superRefine((list, context) => {
    const fault = blocksFault(list);
    if (fault !== null) context.addIssue(fault);
  });

type Range = { max: number; unit: string };

function inRange(text: string, { max }: Range): boolean {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) && Number(text) > 0 && Number(text) <= max;
}

function duration(range: Range) {
  const fault = `is not a number of ${range.unit}: more than 0, up to ${range.max}`;
  return z
    .string()
    .refine((text) => inRange(text, range), fault)
    .transform(Number);
}

/** More tries than this would not fit in an attempt's record. */
const WAITS_MAX = 20;
const WEEK_S = 604_800;

const waits = z
  .string()
  .transform((text) => text.split(",").map((wait) => wait.trim()))
  .refine(
    (list) => list.length <= WAITS_MAX && list.every((wait) => inRange(wait, { max: WEEK_S, unit: "seconds" })),
    `is not 1 to ${WAITS_MAX} numbers of seconds, each more than 0, up to ${WEEK_S}, separated by commas`,
  )
  .transform((list) => list.map(Number));

const NO_SERVICE = "is not an http: or https: URL without credentials, query and fragment, such as";

/** Chosen by the operator: it may be anywhere. Paths are appended to it. */
function service(url: string) {
  return z
    .string()
    .refine((text) => serviceUrlOf(text) !== null, `${NO_SERVICE} ${url}`)
    .transform((text) => serviceUrlOf(text) ?? text)
    .default(url);
}

function serviceUrlOf(text: string): string | null {
  const url = /^https?:\/\/[^\s\\?#@]+$/i.test(text) ? URL.parse(text) : null;
  return url === null ? null : `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

export const notifierSettings = {
  SECRETS_KEY: secretsKey.optional(),
  WEBHOOK_ALLOW_PRIVATE: blocks.optional(),
  WEBHOOK_TIMEOUT_MS: duration({ max: 60_000, unit: "milliseconds" }).default(15_000),
  DELIVERY_RETENTION_DAYS: duration({ max: 365, unit: "days" }).default(30),
  DELIVERY_RETRY_S: waits.default([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]),
  DELIVERY_PROBE_S: waits.default([10, 30, 60, 120, 300, 600]),
  DELIVERY_DISABLE_AFTER_H: duration({ max: 8_760, unit: "hours" }).default(120),
  ROBLOX_API_URL: service("https://apis.roblox.com"),
  DISCORD_API_URL: service("https://discord.com/api"),
};

/** What destinations need, of the notifier, the dashboard and the command line. */
export type SecretsConfig = {
  /** For makeSealer; null: destinations cannot be added, and existing ones wait. */
  secretsKey: string | null;
  /** Blocks of private addresses that receivers may have. */
  allowPrivate: string[];
};

export type NotifierSettings = SecretsConfig & {
  webhookTimeoutMs: number;
  /** How long finished deliveries are stored. */
  deliveryRetentionDays: number;
  /** The wait after each failed attempt of an event. */
  deliveryRetryS: number[];
  /** The wait before each probe of a failing destination; the last one repeats. */
  deliveryProbeS: number[];
  deliveryDisableAfterH: number;
  /** Without a final slash. */
  robloxApiUrl: string;
  discordApiUrl: string;
};

type Data = z.output<z.ZodObject<typeof notifierSettings>>;

function secretsConfig(data: Pick<Data, "SECRETS_KEY" | "WEBHOOK_ALLOW_PRIVATE">): SecretsConfig {
  return { secretsKey: data.SECRETS_KEY ?? null, allowPrivate: data.WEBHOOK_ALLOW_PRIVATE ?? [] };
}

export function notifierConfig(data: Data): NotifierSettings {
  return {
    ...secretsConfig(data),
    webhookTimeoutMs: data.WEBHOOK_TIMEOUT_MS,
    deliveryRetentionDays: data.DELIVERY_RETENTION_DAYS,
    deliveryRetryS: data.DELIVERY_RETRY_S,
    deliveryProbeS: data.DELIVERY_PROBE_S,
    deliveryDisableAfterH: data.DELIVERY_DISABLE_AFTER_H,
    robloxApiUrl: data.ROBLOX_API_URL,
    discordApiUrl: data.DISCORD_API_URL,
  };
}
