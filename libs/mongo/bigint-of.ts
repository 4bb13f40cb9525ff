// MongoDB's shell writes doubles: a whole number that was set manually is the same number. Throws if it is not whole.

export function bigintOf(value: bigint | number): bigint {
  return BigInt(value);
}
