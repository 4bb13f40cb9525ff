// The bounds of imports, each with its reason.

/**
 * Lines of an import that are submitted together: one commit group while single awards have priority, and the same
 * number for the next one.
 */
export const IMPORT_LINES_TOGETHER = 200;
/** Lines of an import that are reported individually, of each kind; further ones are counted. */
export const IMPORT_LINES_LISTED_MAX = 100;
/** The lines of one file: repeats are recognized in memory, and a dry run needs about 1 KB for each line. */
export const IMPORT_LINES_MAX = 1_000_000;
