// One seed for a whole run: FAULTS_SEED, else the moment. Printed, so that a run that failed can be run again.

let told = false;

export function seedOfRun(): number {
  const given = process.env["FAULTS_SEED"];
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given);
  if (!told) process.stdout.write(`faults: seed ${seed}\n`);
  told = true;
  return seed;
}
