/** The log's filters, as its address carries them. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'

export const LOG_DAYS = ['1', '7', '14', '30', '90'] as const
const TEXT_CHARS_MAX = 200
const TEXT = { type: 'text', first: '', charsMax: TEXT_CHARS_MAX } as const

/** Another choice begins at the first page. */
export const LOG = {
  rule: TEXT,
  kind: TEXT,
  state: TEXT,
  days: { type: 'choice', first: '14', of: LOG_DAYS },
  text: TEXT,
  before: { ...TEXT, resetBy: 'all' },
  /** The one beside the table. */
  message: { ...TEXT, resetBy: 'all' },
} as const satisfies AddressTable

export type LogAddress = AddressOf<typeof LOG>

export const logQuery = queryOf(LOG)

export function isLogFiltered({ rule, kind, state, text }: LogAddress): boolean {
  return rule !== '' || kind !== '' || state !== '' || text !== ''
}

/** Names what sent an entry: its rule, or the project whose own alert it is; `null` for a message of neither. */
export function senderName({
  rule,
  ofProject,
}: {
  readonly rule: { readonly name: string } | null
  readonly ofProject: { readonly name: string } | null
}): string | null {
  return ofProject === null ? (rule?.name ?? null) : `Alerts of ${ofProject.name}`
}
