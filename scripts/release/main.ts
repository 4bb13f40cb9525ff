// `npm run release -- <package> <version>`: gives a client package its next version. It publishes nothing.

import { root } from "../paths.js";
import { packages, setVersion } from "./set-version.ts";
import { messageOf } from "../system/message-of.js";

const [name, version, ...rest] = process.argv.slice(2);
if (name === undefined || version === undefined || rest.length > 0) {
  console.error(`usage: npm run release -- ${packages.join("|")} <version>`);
  process.exitCode = 2;
} else {
  try {
    const files = setVersion({ root, name, version, today: new Date().toISOString().slice(0, 10) });
    console.log(`${name} ${version}: changed ${files.join(", ")}`);
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
