// Runs simulations without the project's servers, for mutations.ts.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    // As in the project's own configuration: vitest's own second is a statement about the machine.
    expect: { poll: { timeout: 25_000 } },
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
