import { type AddressTable, queryOf } from '#parts/address.ts'
import { CHOSEN } from '#parts/chosen-range.ts'
import { RANGES } from '#parts/ranges.ts'

/** The outcomes' address. A key belongs to a project: choosing another one forgets it. */
export const OUTCOMES = {
  project: { type: 'value', first: null },
  key: { type: 'number', first: null, resetBy: ['project'] },
  range: { type: 'choice', first: '24h', of: RANGES, unless: 'chosen' },
  chosen: CHOSEN,
} as const satisfies AddressTable

export const outcomesQuery = queryOf(OUTCOMES)
