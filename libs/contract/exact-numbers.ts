// Prevents fractions from becoming integers when a JSON text is parsed: 1.0000000000000000001 and 1e-400 are not
// integers, but as doubles they would be 1 and 0. One pass over the bytes, whatever they are, before the text is known
// to be JSON.

const [QUOTE, BACKSLASH, POINT, PLUS, MINUS] = [0x22, 0x5c, 0x2e, 0x2b, 0x2d];
const [ZERO, FIVE, NINE, UPPER_E, LOWER_E] = [0x30, 0x35, 0x39, 0x45, 0x65];
/**
 * A double keeps 15 digits of any number, so a fraction can be lost only in longer numbers, or by an exponent below
 * zero.
 */
const DIGITS_EXACT = 15;
/** Beyond it the exact value of an exponent does not matter: no body is that long. */
const EXPONENT_MAX = 10_000_000;

/**
 * Overwrites each number that is not an integer as written but could become one with `0.5`, padded to the same length.
 * Invalid JSON stays invalid at the same position, and a schema for integers rejects both numbers.
 */
export function keepFractions(json: Uint8Array): void {
  let at = 0;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else if (isDigit(byte)) at = keepFraction(json, at);
    else at += 1;
  }
}

function endOfString(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The end of the number that begins here. */
function keepFraction(json: Uint8Array, start: number): number {
  const integerEnd = endOfDigits(json, start);
  let end = integerEnd;
  if (json[end] === POINT && isDigit(json[end + 1])) end = endOfDigits(json, end + 1);
  const digitsEnd = end;
  let exponent = 0;
  if (json[end] === UPPER_E || json[end] === LOWER_E) {
    const signed = json[end + 1] === MINUS || json[end + 1] === PLUS;
    const from = end + (signed ? 2 : 1);
    end = endOfDigits(json, from);
    if (end === from) return end;
    exponent = (json[from - 1] === MINUS ? -1 : 1) * valueOf(json, from, end);
  }
  const fractionDigits = Math.max(0, digitsEnd - integerEnd - 1);
  const losesDigits = digitsEnd - start > DIGITS_EXACT || exponent < 0;
  const hasLeadingZero = json[start] === ZERO && integerEnd - start > 1;
  if (losesDigits && !hasLeadingZero && isFraction(json, { start, digitsEnd, fractionDigits, exponent })) {
    for (let index = start; index < end; index += 1) json[index] = ZERO;
    json[start + 1] = POINT;
    json[start + 2] = FIVE;
  }
  return end;
}

function isFraction(
  json: Uint8Array,
  number: { start: number; digitsEnd: number; fractionDigits: number; exponent: number },
): boolean {
  const { start, digitsEnd, fractionDigits, exponent } = number;
  let zerosBehind = 0;
  for (let at = digitsEnd - 1; at >= start; at -= 1) {
    if (json[at] === POINT) continue;
    // Whether it has more decimal places than trailing zeros and places that the exponent moves.
    if (json[at] !== ZERO) return fractionDigits - zerosBehind > exponent;
    zerosBehind += 1;
  }
  return false;
}

function endOfDigits(json: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(json[at])) at += 1;
  return at;
}

function valueOf(json: Uint8Array, from: number, end: number): number {
  let value = 0;
  for (let at = from; at < end && value < EXPONENT_MAX; at += 1) value = value * 10 + (json[at] ?? ZERO) - ZERO;
  return value;
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE;
}
