// The names of all options and fields, in the order in which an error lists them. A test compares them with the types.

const LIMITS = "timeoutMs deadlineMs retries";

export const clientOptions = `baseUrl clanId apiKey fetch ${LIMITS}` as const;
export const callOptions = `signal ${LIMITS}` as const;
export const awardOptions = "reason source cause idempotencyKey";
export const batchFields = "platformId amount";
export const awardFields = `${batchFields} ${awardOptions}` as const;
export const sourceFields = "placeId matchId verified";
export const nameFields = "platformId name hidden";
export const memberOptions = "name position";
export const byFields = "platformId awardId batchId keyId matchId resetId importName from to";
export const queueOptions = "flushMs maxEntries maxPending deadlineMs onDropped";
export const eventsOptions = "after types waitS";
export const eventPageOptions = `${eventsOptions} limit` as const;
export const gainsOptions = "from to order around name";
export const gainsPageOptions = `${gainsOptions} limit cursor platformIds` as const;
export const memberGainsOptions = "every from to timeZone";
export const standingsOptions = "period around platformIds limit cursor name";
