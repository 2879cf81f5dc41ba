/** Parts of an event that were normalised before, in another event that held them in the same words. */
import { max } from '#limits/limits.ts'
import type { PartValue, SharedPart } from '#model/shared-parts.ts'
import type { EventReader } from './reader.ts'

const PROBLEMS = max('problemsMax')

/** Returns the part's value for this platform, if reading it again could not end differently; else `null`. */
export function knownValue(reader: EventReader, part: SharedPart, platform: string): PartValue | null {
  const known = part.normalized
  if (known === null || known.platform !== platform || reader.visitsLeft <= known.visits) return null
  reader.visitsLeft -= known.visits
  return known.value
}

/** Reads a part, and keeps what it became unless that had to be repaired: a problem names its place in the event. */
export function keptWhenClean<T extends PartValue>(
  reader: EventReader,
  part: SharedPart,
  { platform, read }: { readonly platform: string; readonly read: () => T | undefined },
): T | undefined {
  const problems = reader.problems.length
  const visits = reader.visitsLeft
  const value = read()
  const isClean = reader.problems.length === problems && problems < PROBLEMS && !reader.tooDeep
  if (value !== undefined && isClean && reader.visitsLeft > 0) {
    reader.parts?.shared.keep(part, value, { platform, visits: visits - reader.visitsLeft })
  }
  return value
}
