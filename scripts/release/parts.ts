// The parts of a release, in the order in which they are made: the quick ones first.

import type { Part } from "./part.ts";
import { chart } from "./parts/chart.ts";
import { image } from "./parts/image.ts";
import { npm } from "./parts/npm.ts";
import { rbxm } from "./parts/rbxm.ts";
import { sbom } from "./parts/sbom.ts";
import { wally } from "./parts/wally.ts";

export const parts: Readonly<Record<string, Part>> = { wally, sbom, npm, chart, rbxm, image };
