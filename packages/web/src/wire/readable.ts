/**
 * Parts of a page that a store may fail to read in time. One that cannot be read leaves an empty value in the data and
 * says why beside it; the view shows that in the part's place, and all else of the page stays.
 */
import { ERROR_CATALOGUE, type ErrorCode } from '@errata/server/errors'
import type { WireError } from './answers.ts'
import type { LoaderContext } from './types.ts'

/** Answers `read`, or what `otherwise` makes where a store was too slow or too busy. The view asks `Readable` for `part`. */
export async function readable<T>(
  { unread }: Pick<LoaderContext, 'unread'>,
  part: string,
  {
    read,
    otherwise,
  }: { readonly read: () => Promise<T>; readonly otherwise: () => NoInfer<T> | Promise<NoInfer<T>> },
): Promise<T> {
  try {
    return await read()
  } catch (thrown) {
    const error = passingError(thrown)
    if (error === null) throw thrown
    unread.set(part, error)
    return otherwise()
  }
}

/**
 * Returns a store's temporary refusal; `null` for any other failure. Nobody has to mend it, so nobody records
 * it.
 */
export function passingError(thrown: unknown): WireError | null {
  const code = codeOf(thrown)
  if (!PASSING.has(code)) return null
  return { code, message: `${ERROR_CATALOGUE[code].cause} ${ERROR_CATALOGUE[code].next}` }
}

const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['store_timeout', 'overloaded', 'stopping'])

/** By its fields, not its class: the error may come from another thread or another bundle. */
export function codeOf(thrown: unknown): ErrorCode {
  if (!(thrown instanceof Error) || !('code' in thrown) || thrown.name !== 'ErrataError') return 'internal'
  const { code } = thrown
  return typeof code === 'string' && Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : 'internal' // hasOwn just said so
}
