// The bounds of imports, each with its reason.

/**
 * Lines of an import that are submitted together: one commit group while single awards have priority, and the same
 * number for the next one.
 */
export const IMPORT_LINES_TOGETHER = 200;
/** Bad lines of an import that are reported individually; further ones are counted. */
export const IMPORT_FAULTS_REPORTED_MAX = 100;
