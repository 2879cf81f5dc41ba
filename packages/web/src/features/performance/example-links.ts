/** Every number leads to requests it counts: a search of traces. */
import { chosenQuery } from '#parts/chosen-range.ts'
import type { RequestKind } from '#parts/issue-types.ts'
import { paths } from '#parts/paths.ts'
import { valueTerm } from '#parts/search-token.ts'
import { FILTER, type FilterAddress } from './performance-address.ts'

export interface ExamplesOf {
  readonly route: string
  /** `null`: all that sums are of. */
  readonly kind: RequestKind | null
  /** `''`: those without a name, which is what the `named` of the route leave. */
  readonly action?: string | null | undefined
  readonly named?: readonly string[]
  readonly project?: string | null
  readonly status?: 'failed' | 'failed-behind-200' | 'aborted'
  readonly fromMs?: number | null
  readonly toMs?: number
  readonly repeats?: true
  readonly op?: string
}

/** Routes that figures are kept under where there are too many, or no name, begin with this: no search finds them. */
const NO_ROUTE = '('

/** A search is so long, with room for the rest of it. */
const NAMED_CHARS_MAX = 500

/** Terms that leave out what no sum counts. */
const NAVIGATION = '!kind:prefetch !kind:browser'

/** `null` where no search finds what the number counts. */
export function examplesPath(org: string, filter: FilterAddress, of: ExamplesOf): string | null {
  if (of.route.startsWith(NO_ROUTE)) return null
  const { environment, release, range, chosen } = filter
  if (of.action === '' && (of.named?.join().length ?? 0) > NAMED_CHARS_MAX) return null
  const path = paths.traces(org, {
    query: searchOf(of, { environment, release }),
    project: of.project ?? filter.project,
    ...(chosen === null ? { range: range === FILTER.range.first ? null : range } : chosenQuery(chosen)),
    ...(of.fromMs === undefined ? {} : { sort: 'slowest' }),
  })
  return path.replaceAll(PLAIN, decodeURIComponent)
}

/** Characters that an address has as they are: the list of routes has seven hundred of these links. */
const PLAIN = /%(?:2F|3A|5B|5D|21)/g

type Tags = Pick<FilterAddress, 'environment' | 'release'>

function searchOf(
  { route, kind, action, named = [], status, fromMs, toMs, repeats, op }: ExamplesOf,
  tags: Tags,
): string {
  const term = (key: string | null, value: string) => valueTerm({ key, value, negated: false })
  return [
    term(route.startsWith('/') ? 'route' : null, route),
    kind === null ? NAVIGATION : term('kind', kind),
    action ? term('action', action) : null,
    action === '' ? withoutName(named) : null,
    status === undefined ? null : term('status', status),
    // Bounds are written out: a quoted one is no bound.
    typeof fromMs === 'number' ? `duration:>=${msBound(Math.floor(fromMs))}` : null,
    toMs === undefined ? null : `duration:<=${msBound(Math.ceil(toMs))}`,
    repeats === undefined ? null : 'is:n+1',
    op === undefined ? null : term('op', op),
    tags.environment === null ? null : term('environment', tags.environment),
    tags.release === null ? null : term('release', tags.release),
  ]
    .filter((part) => part !== null)
    .join(' ')
}

function withoutName(named: readonly string[]): string {
  const others = named.map((value) => valueTerm({ key: 'action', value, negated: true }))
  return ['has:action', ...others].join(' ')
}

function msBound(ms: number): string {
  return `${Math.max(0, ms)}ms`
}
