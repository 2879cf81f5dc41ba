/**
 * A command that root runs leaves the data directory to its owner: files that it made would keep the server from its own
 * data, which runs as somebody else. Nothing happens for anybody but root, nor where root owns the directory.
 */
import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** When the process ends, whatever ends it in order: what changed since it began. */
export function leaveToOwner(directory: string): void {
  if (process.getuid?.() !== 0) return
  const owner = ownerOf(directory)
  if (owner === null || owner.uid === 0) return
  process.once('exit', () => giveBelow(directory, owner, Math.floor(performance.timeOrigin)))
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** `null` for a directory that is not there yet: who makes it owns it. */
function ownerOf(path: string): Owner | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : { uid: found.uid, gid: found.gid }
}

/**
 * Gives away everything below that root has made meanwhile. A link itself is given away, never its target.
 */
function giveBelow(directory: string, owner: Owner, sinceMs: number): void {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) continue
    if (found.uid === 0 && found.ctimeMs >= sinceMs) give(path, owner)
    if (found.isDirectory()) giveBelow(path, owner, sinceMs)
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // removed meanwhile
  }
}

function give(path: string, { uid, gid }: Owner): void {
  try {
    lchownSync(path, uid, gid)
  } catch (cause) {
    console.error(`${path} belongs to root now: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
