/**
 * Value that SvelteKit hands a page in place of what its server threw. docs/wire.md, "Control flow" and
 * "Mirrors".
 */
import { isObject } from '#base/json.ts'

/**
 * `redirect()`, `error()`, or what a page is told of a promise that was streamed to it: message and status, with whatever
 * else the app’s `handleError` answers. `null` for any other value.
 */
export function answerOfKit(thrown: unknown): { readonly status: number } | null {
  if (!isObject(thrown)) return null
  const { status, message } = thrown
  if (typeof status !== 'number') return null
  const keys = Object.keys(thrown).sort().join()
  const isThrown = keys === 'location,status' || keys === 'body,status'
  return isThrown || typeof message === 'string' ? { status } : null
}
