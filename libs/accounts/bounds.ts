// The bounds of accounts, sessions and sign-in, each with its reason.

/** A session that nobody used for this long has expired: longer than the pauses of a working day. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** The maximum age of a session: a cookie that was stolen unnoticed is worthless after a week. */
export const SESSION_LIFE_MS = 7 * 24 * 3_600_000;
/** How often the use of a session is recorded. */
export const SESSION_TOUCH_MS = 60_000;
/** 238 random bits: it cannot be guessed. */
export const SESSION_CHARS = 40;
/** An invitation is valid for longer than a weekend. */
export const ACCOUNT_LINK_MS = 72 * 3_600_000;
export const ACCOUNT_LINK_CHARS = 40;
/** Time between a challenge and its answer: enough for a person to find a security key, or to sign in elsewhere. */
export const CHALLENGE_MS = 10 * 60_000;
export const CHALLENGE_CHARS = 40;
/**
 * An account without a password can change how it signs in only within this time after a sign-in: an unlocked screen is
 * not sufficient.
 */
export const FRESH_SESSION_MS = 10 * 60_000;
/**
 * Attempts to guess a password. A person mistypes a password a few times, and the people of an office share an address.
 * An attacker with many addresses gets 28,800 guesses a day for one account, and its owner waits at most a minute on a
 * new device.
 */
export const SIGN_IN_RATES = {
  perSource: 10,
  perAddress: 50,
  windowMs: 15 * 60_000,
  perAccount: 20,
  accountWindowMs: 60_000,
};
/** A device is recognized for this long after the last sign-in with the password. */
export const DEVICE_LIFE_MS = 90 * 24 * 3_600_000;
