/**
 * Debug ids in scripts: a snippet that tells the SDK at run time which build a file is of, and a comment for tools. Both
 * are those of sentry-cli, so that either tool knows a file that the other has been at.
 */
import { createHash } from 'node:crypto'
import { leadOf } from './lead.ts'

export interface ScriptId {
  /** Id in lower case. */
  readonly id: string
  /** False for a comment alone: no SDK learns of it. */
  readonly isRegistered: boolean
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const COMMENT = new RegExp(`^//[#@] debugId=(${UUID})\\s*$`, 'gim')
/**
 * Registrations by injectors and bundlers: `…_sentryDebugIds[n]="ID"`,
 * `(e._debugIds||(e._debugIds={}))[n]="ID"`.
 */
const REGISTERED = new RegExp(`_(?:sentryDebugIds|debugIds)\\b[^"'\`\\n]{0,200}["'\`](${UUID})["'\`]`, 'gi')

/** The id that a script has; of several the last, which is the one that counts at run time. */
export function debugIdIn(script: string): ScriptId | null {
  const commented = [...script.matchAll(COMMENT)].at(-1)?.[1]?.toLowerCase()
  if (commented !== undefined) {
    const lower = script.toLowerCase()
    return { id: commented, isRegistered: lower.indexOf(commented) !== lower.lastIndexOf(commented) }
  }
  const registered = [...script.matchAll(REGISTERED)].at(-1)?.[1]
  return registered === undefined ? null : { id: registered.toLowerCase(), isRegistered: true }
}

/** The same for the same script and map: a UUID of version 5, as of a name. */
export function newDebugId(script: string, map: string): string {
  const hash = createHash('sha1').update(script).update('\0').update(map).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function snippetOf(id: string): string {
  return `!function(){try{var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{},n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="${id}")}catch(e){}}();`
}

export interface InjectedScript {
  readonly script: string
  /** Before which line of the script as it was (from 0) there is one more now. */
  readonly line: number
}

/**
 * The snippet as a line of its own before all code: behind a hashbang, and behind directives, which are repeated in
 * its line so that no column of the script moves.
 */
export function withSnippet(script: string, id: string): InjectedScript {
  const { head, directives, line } = leadOf(script)
  const rest = script.slice(head.length)
  const isCommented = debugIdIn(script)?.id === id
  const end = isCommented ? '' : `${rest.endsWith('\n') ? '' : '\n'}//# debugId=${id}\n`
  return { script: `${head}${directives}${snippetOf(id)}\n${rest}${end}`, line }
}

/** Whether a script begins with the line of `withSnippet`; the line of it, from 0. */
export function snippetLine(script: string, id: string): number | null {
  const { head, directives, line } = leadOf(script)
  const snippet = `${snippetOf(id)}\n`
  const start = head.length
  return script.startsWith(directives + snippet, start) || script.startsWith(snippet, start) ? line : null
}
