// What a batch is named: ids rise with time, so that the oldest come first, and tell when they were given.

const PREFIX = "bat_";
/** Of milliseconds in base 36: enough until the year 5188. */
const TIME_LENGTH = 9;

/** `random` keeps apart what one moment names. BullMQ takes neither plain integers nor ":" as the job ids that these are too. */
export function batchIdAt(at: Date, random: string): string {
  return `${PREFIX}${at.getTime().toString(36).padStart(TIME_LENGTH, "0")}${random}`;
}

/** When the id was given, in milliseconds since 1970, by the clock of who gave it. */
export function batchIdMs(batchId: string): number {
  return Number.parseInt(batchId.slice(PREFIX.length, PREFIX.length + TIME_LENGTH), 36);
}
