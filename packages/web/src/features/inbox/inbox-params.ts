/** The address of the inbox: what is shown, and from where. */
import type { InboxKind } from '@errata/server/queries'

export interface InboxAddress {
  readonly isAll: boolean
  readonly kind: InboxKind | null
  /** Entry that ended the page before. */
  readonly before: number | null
}

/** Returns the query of an address; what is as at first is left out. */
export function inboxQuery({ isAll, kind, before }: InboxAddress) {
  return { show: isAll ? 'all' : null, kind, before }
}
