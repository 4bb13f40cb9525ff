// The shipped dashboard, as a test reads it.
import { z } from "zod";
import { readDeployed } from "./alerts.ts";

const Dashboard = z.object({
  uid: z.string(),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  annotations: z.object({ list: z.array(z.object({ name: z.string(), expr: z.string() })) }),
  panels: z.array(
    z.object({ id: z.number(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() }),
  ),
});

export const dashboard = Dashboard.parse(JSON.parse(readDeployed("grafana/clanxp.json")));

/** What it asks Prometheus. */
export const dashboardQueries = [
  ...dashboard.annotations.list.map(({ name, expr }) => ({ where: `annotation ${name}`, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: `panel ${title}`, expr })),
  ),
];
