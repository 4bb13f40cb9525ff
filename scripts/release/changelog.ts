// The sections of a changelog: what is not released yet, and each release under its version and date.

const UNRELEASED = "\n## Unreleased\n";

/** What is not released yet; "" if it is nothing. */
export function unreleasedIn(changelog: string): string {
  const start = changelog.indexOf(UNRELEASED);
  return start < 0 ? "" : untilNextSection(changelog.slice(start + UNRELEASED.length));
}

/** What changed in a release; undefined if the changelog has no section for it. */
export function releaseIn(changelog: string, version: string): string | undefined {
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")}(?: .*)?\n`, "m").exec(changelog);
  return heading ? untilNextSection(changelog.slice(heading.index + heading[0].length)) : undefined;
}

/** Turns what is not released yet into the section of a release. `today` is YYYY-MM-DD. */
export function withRelease(changelog: string, version: string, today: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${today}\n`);
}

function untilNextSection(text: string) {
  return (text.split(/^## /m)[0] ?? "").trim();
}
