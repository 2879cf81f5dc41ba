/** The address of the page about skew in parts. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'
import { RANGES } from '#parts/ranges.ts'
import { FRAMEWORKS } from './advice.ts'

/** Stale tabs live for days; a day is what the overview counts. */
export const SKEW_RANGES = RANGES.filter(({ ms }) => ms >= 86_400_000)

const OTHER_LIST = ['project', 'environment', 'range'] as const

/** The address: another list begins with its newest deploy. */
export const SKEW = {
  project: { type: 'value', first: null },
  environment: { type: 'value', first: null },
  range: { type: 'choice', first: '14d', of: SKEW_RANGES },
  /** Id of a deploy; `null`: the newest. */
  deploy: { type: 'value', first: null, resetBy: OTHER_LIST },
  /** Release of the deploy, or of its tabs, if no id is known. */
  release: { type: 'value', first: null, resetBy: OTHER_LIST },
  /** Framework whose advice is shown; `null` for that of the reporting SDK. */
  framework: { type: 'choice', first: null, of: FRAMEWORKS, resetBy: OTHER_LIST },
} as const satisfies AddressTable

export type SkewAddress = AddressOf<typeof SKEW>

export const skewQuery = queryOf(SKEW)
