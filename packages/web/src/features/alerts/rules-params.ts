/** The address of the list of rules. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'

const TEXT_CHARS_MAX = 200

export const RULES = {
  project: { type: 'value', first: null },
  kind: { type: 'choice', first: null, of: ['issue', 'metric'] },
  query: { type: 'text', first: '', charsMax: TEXT_CHARS_MAX },
} as const satisfies AddressTable

export type RulesAddress = AddressOf<typeof RULES>

export const rulesQuery = queryOf(RULES)
