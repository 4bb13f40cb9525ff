// What a release consists of. A part is made from the files of the tag, into the folder of the release; one that cannot
// be made because a tool is missing says so, and throws for any other reason.

import type { Found } from "../tools/find-tool.ts";
import type { Tool } from "../tools/list.ts";
import type { Checkout } from "./checkout.ts";
import type { PackageName } from "./packages.ts";

export type Context = Checkout & {
  /** Where the files of the release are written. */
  out: string;
  versions: Readonly<Record<PackageName, string>>;
  env: NodeJS.ProcessEnv;
  /** Finds a tool, and fetches it if it is missing. */
  tool: (tool: Tool) => Promise<{ value: Found } | { reason: string }>;
  /** The npm of the set-up: the script that this process's Node runs. */
  npmCli: string;
  log: (line: string) => void;
};

/** `files`: their names in the folder of the release. `note`: what its user should know. */
export type Made = { files: string[]; note?: string } | { missing: string };

export type Part = {
  /** The package whose version it has. */
  of: PackageName;
  make: (context: Context) => Promise<Made>;
  /** Returns where it is published. */
  publish?: (context: Context, files: string[]) => Promise<string>;
  /** Settings that it must have to be published. */
  settings?: string[];
  /** Returns why it cannot be published here. */
  whyNotPublished?: () => Promise<string | undefined>;
};
