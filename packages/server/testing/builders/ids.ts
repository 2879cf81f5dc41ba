/** Ids of projects, groups and events. */
import { createHash, randomBytes } from 'node:crypto'
import { type EventId, type GroupHash, groupHash, projectId, readEventId } from '#base/ids.ts'

export const SHOP = projectId(3)
export const BLOG = projectId(4)
export const GROUP_A = groupHash('a'.repeat(32))
export const GROUP_B = groupHash('b'.repeat(32))

/** Any text as the hash of a group. */
export function aHash(name: string): GroupHash {
  return groupHash(createHash('md5').update(name).digest('hex'))
}

export function anEventId(name: string): EventId {
  const id = readEventId(createHash('md5').update(`event ${name}`).digest('hex'))
  if (id === null) throw new Error('not an event id')
  return id
}

/** A random id, as SDKs make them. */
export function randomEventId(): EventId {
  return randomBytes(16).toString('hex') as EventId // 32 lower-case hex characters
}

/** An id that sorts by its number. */
export function eventIdOf(number: number): EventId {
  return number.toString(16).padStart(32, '0') as EventId // 32 lower-case hex characters
}
