// The suite that needs a Docker engine: `npm run test:containers`, which finds one and names the images by the
// environment.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/containers/**/*.test.ts"],
    // Each file starts ten containers. The Compose file's tests mostly wait for its health checks, and the others run
    // meanwhile, one after the other.
    maxWorkers: 2,
    // Seconds each on an idle machine; this one may be busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
