import { ClanXpError, type ErrorDetails } from "./error.js";
export declare function restate(error: ClanXpError, details: ErrorDetails): ClanXpError;
