/** Completes values that only events have. */
import type { Clock } from '#base/clock.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { foldAscii } from '#model/text-pattern.ts'
import type { CountedValue } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { DetailValuesAsked, EventReads, TelemetryStore } from '#ports/telemetry.ts'
import { inTime } from './in-time.ts'

export interface DetailValuesParts {
  readonly telemetry: Pick<EventReads<EventRow>, 'detailValues'> & Pick<TelemetryStore, 'files'>
  readonly clock: Clock
}

/** Values that begin with `prefix`, or have it anywhere, most frequent first. */
export type DetailValues = (
  scope: ReadScope,
  asked: Omit<DetailValuesAsked, 'limit'>,
) => Promise<readonly CountedValue[]>

/** Counted in the newest files: more would take too long while somebody types. */
const FILES_MAX = 3
const KEPT_MS = 60_000
const KEPT_MAX = 50
/** A key with fewer values has been read whole: what is typed of them is then found in what was kept. */
const VALUES_MAX = 200

interface Kept {
  readonly untilMs: number
  readonly values: Promise<readonly CountedValue[]>
}

/** Keeps what a key was answered for a minute, so that files are not read with every keystroke. */
export function createDetailValues({ telemetry, clock }: DetailValuesParts): DetailValues {
  const kept = new Map<string, Kept>()

  const read = async (scope: ReadScope, asked: Omit<DetailValuesAsked, 'limit'>) => {
    const files = (await telemetry.files())
      .filter(({ kind }) => kind === 'error')
      .toSorted((one, other) => other.day - one.day)
      .slice(0, FILES_MAX)
    // One that took too long is not asked again at once either.
    return (await inTime(telemetry.detailValues(scope, { files }, { ...asked, limit: VALUES_MAX }))) ?? []
  }

  const ask = (scope: ReadScope, asked: Omit<DetailValuesAsked, 'limit'>) => {
    const { key, prefix, isAnywhere = false } = asked
    const nowMs = clock.now()
    const name = JSON.stringify([scope.orgId, scope.projects.toSorted(), key, prefix, isAnywhere])
    const known = kept.get(name)
    if (known !== undefined && nowMs < known.untilMs) return known.values
    const values = read(scope, asked).catch((cause: unknown) => {
      kept.delete(name)
      throw cause
    })
    kept.delete(name)
    kept.set(name, { untilMs: nowMs + KEPT_MS, values })
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    return values
  }

  return async (scope, { key, prefix, isAnywhere = false }) => {
    const text = foldAscii(prefix)
    const all = await ask(scope, { key, prefix: '' })
    if (text !== '' && all.length >= VALUES_MAX)
      return ask(scope, { key, prefix: text, ...(isAnywhere ? { isAnywhere } : {}) })
    return all.filter(({ value }) =>
      isAnywhere ? foldAscii(value).includes(text) : foldAscii(value).startsWith(text),
    )
  }
}
