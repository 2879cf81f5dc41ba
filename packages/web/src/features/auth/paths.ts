/** Addresses to which nothing outside of the feature leads. */
import { type Query, segment, withQuery } from '#parts/paths.ts'

export const authPaths = {
  setup: () => '/setup',
  /** `ticket` stands for the password that was right. */
  secondStep: (ticket: string, query: Query = {}) => withQuery(`/sign-in/${segment(ticket)}`, query),
  joinAccount: (ticket: string) => withQuery('/join-account', { ticket }),
  confirm: (query: Query = {}) => withQuery('/confirm', query),
  providerConfirm: (next: string) => withQuery('/confirm/provider', { next }),
  signOut: () => '/sign-out',
  providerSignIn: (org: string, kind: string, next?: string) =>
    withQuery(`/sign-in/with/${segment(org)}/${segment(kind)}`, { next }),
  providerSignOut: (org: string, kind: string) => `/sign-in/out/${segment(org)}/${segment(kind)}`,
  join: (code: string) => `/join/${segment(code)}`,
  /** Page where an app asks to be connected. */
  authorize: (query: Query = {}) => withQuery('/oauth/authorize', query),
} as const
