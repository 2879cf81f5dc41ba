/** The address of the page about skew in parts. */
import { RANGES, type RangeKey } from '#parts/ranges.ts'
import { FRAMEWORKS, type Framework } from './advice.ts'

/** Stale tabs live for days. */
export const SKEW_RANGES = RANGES.filter(({ ms }) => ms >= 7 * 86_400_000)
const RANGE = '14d'

export interface SkewAddress {
  readonly project: string | null
  readonly environment: string | null
  readonly range: RangeKey
  /** Id of a deploy; `null`: the newest. */
  readonly deploy: string | null
  /** Release of the deploy, or of its tabs, if no id is known. */
  readonly release: string | null
  /** Framework whose advice is shown; `null` for that of the reporting SDK. */
  readonly framework: Framework | null
}

export function readSkewAddress(search: URLSearchParams): SkewAddress {
  return {
    project: search.get('project') || null,
    environment: search.get('environment') || null,
    range: SKEW_RANGES.find(({ key }) => key === search.get('range'))?.key ?? RANGE,
    deploy: search.get('deploy') || null,
    release: search.get('release') || null,
    framework: FRAMEWORKS.find((one) => one === search.get('framework')) ?? null,
  }
}

/** Builds the query; another list begins with its newest deploy. */
export function skewQuery(address: SkewAddress, change: Partial<SkewAddress> = {}) {
  const isOtherList =
    change.project !== undefined || change.environment !== undefined || change.range !== undefined
  const forgotten = isOtherList ? { deploy: null, release: null, framework: null } : {}
  const next = { ...address, ...forgotten, ...change }
  const { range, ...rest } = next
  return { ...rest, range: range === RANGE ? null : range }
}
