// One seed for everything that a run draws by chance: TEST_SEED, which CI derives from the commit, so that a run that
// failed fails again; else a new one each time. Printed, so that it can be repeated.

let drawn: number | null = null;

export function seedOfRun(): number {
  const given = process.env["TEST_SEED"];
  if (given !== undefined) return Number(given);
  drawn ??= draw();
  return drawn;
}

function draw(): number {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`seed: TEST_SEED=${seed}\n`);
  return seed;
}
