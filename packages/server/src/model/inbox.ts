/** Kinds of entries of an inbox, in the order people see them in. */
export const INBOX_KINDS = ['mention', 'assignment', 'regression', 'activity', 'alert', 'delivery'] as const
export type InboxKind = (typeof INBOX_KINDS)[number]
