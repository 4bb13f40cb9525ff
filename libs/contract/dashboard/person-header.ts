// The header of requests that a person's action caused, which keep the session alive. Pages also send requests by
// themselves, all night.
export const PERSON_HEADER = "clanxp-person";
