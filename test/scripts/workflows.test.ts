import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/paths.js";

const folder = join(root, ".github", "workflows");
type Step = { uses?: string; run?: string; with?: unknown };
type Field = { type: string; id: string; attributes: { label: string }; validations?: { required: boolean } };
type Workflow = { permissions: unknown; jobs: Record<string, { "timeout-minutes": number; steps: Step[] }> };

const workflows = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);

describe.each(workflows)("the workflow %s", (_file, text) => {
  test("names each action by the digest of a commit, with its version", () => {
    const used = [...text.matchAll(/^.*\buses:.*$/gm)].map(([line]) => line.trim());
    expect(used.length).toBeGreaterThan(0);
    for (const line of used) expect(line).toMatch(/^- uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("has no right to write unless a job asks for it, and leaves no credentials in the checkout", () => {
    const { permissions, jobs }: Workflow = parse(text);
    expect([{}, { contents: "read" }]).toContainEqual(permissions);
    for (const { steps, "timeout-minutes": timeout } of Object.values(jobs)) {
      expect(timeout).toBeLessThanOrEqual(120);
      const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
      for (const step of checkouts) expect(step.with).toStrictEqual({ "persist-credentials": false });
      // An expression in a script would be executed as part of it.
      for (const { run = "" } of steps) expect(run).not.toContain("${{");
    }
  });
});

const forms = readdirSync(join(root, ".github", "ISSUE_TEMPLATE")).filter((file) => file !== "config.yml");

test.each(forms)("the issue form %s has a name, a description, and required fields with different ids", (file) => {
  const form = parse(readFileSync(join(root, ".github", "ISSUE_TEMPLATE", file), "utf8"));
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const fields: Field[] = form.body.filter(({ type }: Field) => type !== "markdown");
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  for (const { attributes } of fields) expect(attributes.label).toMatch(/^[A-Z]/);
  expect(fields.filter(({ validations }) => validations?.required).length).toBeGreaterThan(1);
});

test("the containers suite of CI has every official image", () => {
  const names = /const OFFICIAL = ([\s\S]*?\n\]);/.exec(
    readFileSync(join(root, "scripts/containers/images.ts"), "utf8"),
  )?.[1];
  const images = [...(names ?? "").matchAll(/image: "([^"]+)"/g)].map(([, image]) => image);
  expect(images.length).toBeGreaterThan(3);
  const [, pulled] = /for image in (.*); do/.exec(readFileSync(join(folder, "ci.yml"), "utf8")) ?? [];
  expect(pulled?.split(" ")).toStrictEqual(images);
});
