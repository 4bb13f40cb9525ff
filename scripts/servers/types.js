// What a provider of servers is: a small function that answers "here it is" or "not here, because".

/**
 * @typedef {object} Server a program that can be started
 * @property {string} command
 * @property {Record<string, string> | undefined} [env]
 * @property {string} version
 * @property {string} from how a person would say where it comes from
 * @property {string} [image] it runs inside a container of this image, and `command` is the name in there
 *
 * @typedef {{ found: Server } | { reason: string }} Answer
 *
 * @typedef {object} Context
 * @property {string} cacheDir
 * @property {string} node Node 24
 * @property {boolean} mayFetch false: only what is on this machine already
 * @property {(line: string) => void} log
 *
 * @typedef {{ title: string, find: (context: Context) => Promise<Answer> }} Provider
 */

export {};
