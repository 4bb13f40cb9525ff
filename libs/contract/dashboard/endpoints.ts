// The one endpoint table of the dashboard, a group of rows for each page. Server and pages derive from it.
import { accountEndpoints } from "#contract/dashboard/account.ts";
import { accountsEndpoints } from "#contract/dashboard/accounts.ts";
import { auditEndpoints } from "#contract/dashboard/audit.ts";
import { awardEndpoints } from "#contract/dashboard/awards.ts";
import { batchEndpoints } from "#contract/dashboard/batches.ts";
import { boardEndpoints } from "#contract/dashboard/boards.ts";
import { boostEndpoints } from "#contract/dashboard/boosts.ts";
import { clanEndpoints } from "#contract/dashboard/clans.ts";
import type { DashboardEndpoint } from "#contract/dashboard/endpoint.ts";
import { gainEndpoints } from "#contract/dashboard/gains.ts";
import { memberEndpoints } from "#contract/dashboard/members.ts";
import { destinationEndpoints } from "#contract/dashboard/destinations.ts";
import { destinationRecordEndpoints } from "#contract/dashboard/destination-records.ts";
import { erasureHookEndpoints } from "#contract/dashboard/erasure-hooks.ts";
import { eventEndpoints } from "#contract/dashboard/events.ts";
import { importEndpoints } from "#contract/dashboard/imports.ts";
import { keyReversalEndpoints } from "#contract/dashboard/key-reversals.ts";
import { keyEndpoints } from "#contract/dashboard/keys.ts";
import { oidcEndpoints } from "#contract/dashboard/oidc.ts";
import { overviewEndpoints } from "#contract/dashboard/overview.ts";
import { passkeyEndpoints } from "#contract/dashboard/passkeys.ts";
import { peopleEndpoints } from "#contract/dashboard/people.ts";
import { publicPageEndpoints } from "#contract/dashboard/public-page.ts";
import { queueEndpoints } from "#contract/dashboard/queue.ts";
import { rankEndpoints } from "#contract/dashboard/ranks.ts";
import { resetEndpoints } from "#contract/dashboard/resets.ts";
import { reversalEndpoints } from "#contract/dashboard/reversals.ts";

export const dashboardEndpoints = {
  ...accountEndpoints,
  ...passkeyEndpoints,
  ...oidcEndpoints,
  ...keyEndpoints,
  ...keyReversalEndpoints,
  ...peopleEndpoints,
  ...publicPageEndpoints,
  ...overviewEndpoints,
  ...memberEndpoints,
  ...awardEndpoints,
  ...gainEndpoints,
  ...importEndpoints,
  ...reversalEndpoints,
  ...resetEndpoints,
  ...rankEndpoints,
  ...boardEndpoints,
  ...boostEndpoints,
  ...batchEndpoints,
  ...eventEndpoints,
  ...destinationEndpoints,
  ...destinationRecordEndpoints,
  ...auditEndpoints,
  ...clanEndpoints,
  ...erasureHookEndpoints,
  ...accountsEndpoints,
  ...queueEndpoints,
} satisfies Record<string, DashboardEndpoint>;

export type DashboardEndpoints = typeof dashboardEndpoints;
export type DashboardEndpointName = keyof DashboardEndpoints;
