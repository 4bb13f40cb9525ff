// The Roblox client as a file that Studio inserts. The API serves the one of its version in the same way.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { robloxModel } from "#export/roblox-model.ts";
import type { Part } from "../part.ts";

export const rbxm: Part = {
  of: "luau",
  async make({ source, out, versions }) {
    const file = `ClanXP-${versions.luau}.rbxm`;
    const module = readFileSync(join(source, "clients/luau/src/init.luau"), "utf8");
    writeFileSync(join(out, file), robloxModel("ClanXP", module));
    return { files: [file] };
  },
};
