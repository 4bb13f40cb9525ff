import { ClanXpError, type ErrorDetails } from "./error.cjs";
export declare function restate(error: ClanXpError, details: ErrorDetails): ClanXpError;
