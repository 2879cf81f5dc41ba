/** Asks the column store, which may give up. */
import { ErrataError } from '#base/errors.ts'

/**
 * Waits for an answer of the column store. `null` when the column store gave up: what was typed asks for too much,
 * which is no failure of ours.
 */
export async function inTime<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof ErrataError && GIVEN_UP.has(cause.code)) return null
    throw cause
  }
}

const GIVEN_UP: ReadonlySet<string> = new Set(['store_timeout', 'overloaded'])
