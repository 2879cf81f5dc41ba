/**
 * Scope of a read. Every read of a store takes a `ReadScope`, and only `access` can make one, so an unscoped
 * read does not compile. (The symbol exists in types only: a scope crosses threads as plain data.)
 */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'

declare const built: unique symbol

export interface ReadScope {
  readonly [built]: 'access'
  readonly orgId: OrgId
  readonly orgSlug: string
  /** Projects of the organisation that the viewer may read; rows of any other are invisible. */
  readonly projects: readonly ProjectId[]
  /** Person who asks, for `assigned:me`; absent for an organisation token. */
  readonly userId?: UserId
  /** A guest: of the organisation's people, teams and channels they see what these projects need alone. */
  readonly isGuest?: true
}

/** Author of a change, recorded with it. */
export interface Actor {
  /** `null` for Errata itself. */
  readonly userId: number | null
  /** Set when a token acted. */
  readonly tokenId: number | null
  readonly label: string
  readonly address: string | null
  readonly atMs: number
}

/** Which issues somebody changes. */
export interface IssueChange {
  readonly orgId: OrgId
  /** Readable projects of whoever asks: ids outside are left alone and not counted. */
  readonly projects: readonly ProjectId[]
  readonly ids: readonly IssueId[]
}
