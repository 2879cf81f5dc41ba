import type { AddressTable } from '#parts/address.ts'
import { localPath } from '#wire/loader.ts'

/** Address of signing in and of confirming: where it leads, and what is asked for on the way. */
export const AUTH = {
  /** Path of this server; the start page where the address names none. */
  next: {
    type: 'own',
    first: null,
    read: (search: URLSearchParams): string => localPath(search.get('next')),
    print: (next) => ({ next: String(next) }),
  },
  /** A recovery code in place of one of the app. */
  isRecovery: { type: 'flag', name: 'with', first: false, on: 'recovery' },
  /** Action that is to be confirmed, and the member it is about. */
  action: { type: 'value', name: 'for', first: null },
  of: { type: 'value', first: null },
  ticket: { type: 'value', first: null },
} as const satisfies AddressTable
