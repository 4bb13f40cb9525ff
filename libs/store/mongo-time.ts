// MongoDB's clock: the only one that decides what is old (docs/decisions/0036, 0044). What decides within seconds is
// written and compared as $$NOW, which a router (mongos) sets in both statements; `$currentDate` would be the time of the
// shard. Retention compares days, for which this does not matter.

/** The earliest date. Without a lower bound, an expression would find documents that have no time, too. */
const EARLIEST = new Date(-8.64e15);

/** A filter: the field is a time of MongoDB's, more than `ageMs` ago. An index by the field serves it. */
export function olderThan(field: string, ageMs: number) {
  const [time, limit] = [`$${field}`, { $subtract: ["$$NOW", ageMs] }];
  return { $expr: { $and: [{ $gte: [time, EARLIEST] }, { $lt: [time, limit] }] } };
}
