// A dashboard for the tests of People, with a clan and an owner for each test.
import { useDashboard } from "./dashboard-world.ts";

export async function usePeople() {
  const dashboard = await useDashboard();
  let made = 0;

  /** A clan with its own owner; `name` makes names of people that no other test uses. */
  async function newClan() {
    const number = (made += 1);
    const name = (first: string): string => `${first}-${number}`;
    const { clanId, api: ofClan, person: owner } = await dashboard.newClan(name("olga"));
    const api = `${ofClan}/people`;
    const people = async () => (await owner.get(api)).body.people;
    return { clanId, api, owner, name, people };
  }

  return { dashboard, newClan };
}
