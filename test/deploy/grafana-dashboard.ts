// The shipped dashboard, as a test reads it.
import { z } from "zod";
import { readDeployed } from "./alerts.ts";

const Dashboard = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({ id: z.number(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

export const dashboard = Dashboard.parse(JSON.parse(readDeployed("grafana/clanxp.json")));

/** What its panels ask Prometheus. */
export const panelQueries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ where: `panel ${title}`, expr })),
);
