// The header of requests that a person's action caused, which keep the session alive. Open pages also send requests
// automatically, which must not keep it alive.
export const PERSON_HEADER = "clanxp-person";
