/** Reads one file from its beginning to its end, step by step. */
import type { Damage } from '#model/damage.ts'
import type { FileName } from '#model/file-name.ts'
import type { VerifyFiles, VerifyPlace } from '../stores/verify-files.ts'

/** Places that are told of a file: more would say no more. */
const PLACES_MAX = 5
/** Most characters of a reason. */
const REASON_CHARS = 200

export type FileDamageCode = Extract<Damage['code'], 'payloads_damaged' | 'columns_unreadable'>

/**
 * Verifies a file and returns its damage, empty if it is sound; `null` if the store is busy or stops, when
 * nobody knows. `rest` is called after each step with the bytes it read.
 */
export async function verifyFile(
  store: VerifyFiles,
  { file, code }: { readonly file: FileName; readonly code: FileDamageCode },
  rest: (bytes: number) => Promise<void>,
): Promise<readonly Damage[] | null> {
  let damagedAt: number[] = []
  let place: VerifyPlace | null = null
  do {
    try {
      const { next, bytes, damagedAt: found, isAnew } = await store.verify(file, place)
      damagedAt = isAnew ? [...found] : [...damagedAt, ...found]
      place = next
      await rest(bytes)
    } catch (cause) {
      return isPassingFailure(cause) ? null : [{ code, file, detail: reasonOf(cause) }]
    }
  } while (place !== null)
  return damagedAt.length === 0 ? [] : [{ code, file, detail: placesText(damagedAt) }]
}

/** True for a refusal that says nothing of the file, and where the process was short of memory or of open files. */
function isPassingFailure(cause: unknown): boolean {
  if (cause instanceof RangeError) return true // an allocation that failed
  return cause instanceof Error && 'code' in cause && PASSING.has(String(cause.code))
}

const PASSING: ReadonlySet<string> = new Set([
  ...['stopping', 'store_timeout', 'overloaded'],
  ...['EMFILE', 'ENFILE', 'ENOMEM', 'ERR_MEMORY_ALLOCATION_FAILED'],
])

export function reasonOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_CHARS)
}

function placesText(damagedAt: readonly number[]): string {
  const told = damagedAt.slice(0, PLACES_MAX).join(', ')
  const more = damagedAt.length > PLACES_MAX ? ', …' : ''
  return damagedAt.length === 1
    ? `a block at byte ${told}`
    : `${damagedAt.length} blocks, at bytes ${told}${more}`
}
