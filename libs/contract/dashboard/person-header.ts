// The header of requests that a person's action has brought about, which keep the session alive. Pages also ask by
// themselves, all night.
export const PERSON_HEADER = "clanxp-person";
