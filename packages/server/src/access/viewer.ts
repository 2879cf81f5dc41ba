/** Viewer: a person with a session, or a bearer token. */

import type { ProjectId, TeamId } from '#base/ids.ts'
import type { Led, Membership, Organisation, Role, Session, Token, User } from '#ports/accounts.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Permission } from './permissions.ts'

export interface PersonViewer {
  readonly kind: 'person'
  readonly user: User
  readonly session: Session
  /** Without `own`. */
  readonly memberships: readonly Membership[]
  /** Membership of an operator in Errata's own project's organisation, which no list of organisations has. */
  readonly own?: Membership
  /** Organisations of theirs that ask for a second factor first, which they lack. */
  readonly closed: readonly Organisation[]
}

export interface TokenViewer {
  readonly kind: 'token'
  readonly token: Token
  readonly organisation: Organisation
  readonly projects: readonly ProjectId[]
  /** Owner of a personal token, whose role in the organisation bounds its scopes. */
  readonly user: User | null
  readonly role: Role | null
  readonly leads: Led
}

/** Subject of a change, for which a team admin may have further permissions. */
export interface About {
  readonly team?: TeamId
  readonly project?: ProjectId
}

export type Viewer = PersonViewer | TokenViewer

/** Everything that is asked before a query or command runs. Implemented in `access.ts`. */
export interface Access {
  /** From the session cookie's value; `null` when there is none, or it ended. Notes use. */
  authenticateSession(cookie: string | null, nowMs: number): Promise<PersonViewer | null>
  /** From `Authorization: Bearer …` without the prefix. Notes use. */
  authenticateToken(bearer: string, nowMs: number): Promise<TokenViewer | null>
  /** From a token of a connected app, which is good for what agents call and for nothing else. Notes use. */
  authenticateAgent(bearer: string, nowMs: number): Promise<TokenViewer | null>
  /** The viewer's scope in the organisation named by slug or id; `null` when they may not see it at all. */
  scope(viewer: Viewer, organisation: string): ReadScope | null
  /** Returns one scope per organisation of the viewer, without Errata's own: for what spans organisations. */
  scopes(viewer: Viewer): readonly ReadScope[]
  /** Returns an operator's scope on Errata's own project; `null` for everybody else. */
  ownScope(viewer: Viewer): ReadScope | null
  can(viewer: Viewer, scope: ReadScope, permission: Permission, about?: About): boolean
  /** Whether there is anything there that they may do it to: the command asks again, of what it is done to. */
  canSomewhere(viewer: Viewer, scope: ReadScope, permission: Permission): boolean
}
