/** The address of the inbox: what is shown, and from where. */
import { type AddressOf, type AddressTable, queryOf } from '#parts/address.ts'
import { KIND_NAMES } from './entry-words.ts'

export const INBOX = {
  isAll: { type: 'flag', name: 'show', first: false, on: 'all' },
  kind: { type: 'key', first: null, in: KIND_NAMES },
  /** Entry that ended the page before. */
  before: { type: 'number', first: null, resetBy: 'all' },
} as const satisfies AddressTable

export type InboxAddress = AddressOf<typeof INBOX>

export const inboxQuery = queryOf(INBOX)
