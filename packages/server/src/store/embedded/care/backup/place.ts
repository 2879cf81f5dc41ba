/** Decides where a backup may lie. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'

/**
 * Checks that backup and data directory lie apart.
 * @throws a sentence when the backup's directory is the data directory, holds it or lies in it: one would be lost with
 * the other, and every backup would hold the ones before
 */
export function requirePlaceApart(data: string, directory: string): void {
  const [kept, backup] = [realPath(data), realPath(directory)]
  if (kept === backup) throw new Error(`${directory} is the data directory; a backup goes elsewhere`)
  if (isBelow(backup, kept))
    throw new Error(`${directory} lies in the data directory ${data}, but must be outside of it`)
  if (isBelow(kept, backup))
    throw new Error(`${directory} holds the data directory ${data}; a backup goes beside it`)
}

/** A user and a group by their numbers. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

export const ROOT = 0

/**
 * The user and group that own the data directory.
 * @throws a sentence where there is none, or where what this user writes there could not be used by its owner
 */
export function requireDataDirectory(data: string, control: string): Owner {
  if (!isThere(control)) {
    throw new Error(
      `${data} is no data directory of Errata: ${basename(control)} is not there; name it with --data`,
    )
  }
  const { uid, gid } = statSync(data)
  const user = process.geteuid?.() ?? uid
  if (user !== uid && user !== ROOT) {
    throw new Error(
      `${data} belongs to the user ${uid}, not to ${user}: make the backup as that user, or as root`,
    )
  }
  return { uid, gid }
}

/** @throws a sentence where this user may not look */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${path} cannot be looked at: ${reason}; make the backup as the user it belongs to`, {
      cause,
    })
  }
}

/** With links followed as far as there is something. */
function realPath(path: string): string {
  const whole = resolve(path)
  if (existsSync(whole) || dirname(whole) === whole) return realpathSync(whole)
  return join(realPath(dirname(whole)), basename(whole))
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}
