/** People, organisations, roles, sessions, tokens, the audit log. */
import type { OrgId, ProjectId, SessionId, TeamId, TokenId, UserId } from '#base/ids.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { NamesAsked } from './names.ts'
import type { DeliveryState } from './notices.ts'
import type { ReadScope } from './scope.ts'
import type { SearchesRead } from './searches.ts'

export type Role = 'owner' | 'manager' | 'member' | 'viewer' | 'guest'
export const ROLES: readonly Role[] = ['owner', 'manager', 'member', 'viewer', 'guest']
/**
 * Role that people may be given without an owner's approval: never owner, and never guest, whose projects are
 * chosen.
 */
export type GivenRole = Exclude<Role, 'owner' | 'guest'>
export const GIVEN_ROLES = ['manager', 'member', 'viewer'] as const satisfies readonly GivenRole[]
export type Theme = 'system' | 'light' | 'dark'

/** Describes a change in the audit log; who made it and when stand beside it. */
export interface AuditNote {
  /** Name of the action, such as `member.role_changed`. */
  readonly action: string
  /** Name of the thing that was changed, in words. */
  readonly target: string
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>
}

export const LANDINGS = ['overview', 'issues'] as const
export type Landing = (typeof LANDINGS)[number]

export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly theme: Theme
  /** First page the person sees in their organisation. */
  readonly landing: Landing
  /** Organisation opened last. */
  readonly orgIdLast: OrgId | null
  readonly createdMs: number
  /** The organisation whose provider made the account, until somebody signs in to it by themselves. */
  readonly orgIdManaging?: OrgId
}

export interface Organisation {
  readonly id: OrgId
  readonly slug: string
  readonly name: string
  readonly createdMs: number
}

export interface Membership {
  readonly organisation: Organisation
  readonly role: Role
  readonly teams: readonly TeamId[]
  /** Every project the role and the teams open. Owners and managers: all of the organisation; guests: the chosen ones. */
  readonly projects: readonly ProjectId[]
  readonly leads: Led
  /** True if the organisation is closed to members without a second factor. */
  readonly requiresSecondFactor: boolean
  /** Only a session that the organisation's own provider began opens it. */
  readonly needsProvider?: true
  /** Errata's own: it holds the project that Errata reports to, and operators alone open it. */
  readonly isOwn?: true
}

/** Teams that a person is team admin of, and the projects they open. */
export interface Led {
  readonly teams: readonly TeamId[]
  /** Projects that at least one of these teams opens. */
  readonly projects: readonly ProjectId[]
}

export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  readonly createdMs: number
  readonly seenMs: number
  /** When whoever holds it proved last who they are. */
  readonly confirmedMs: number
  readonly address: string | null
  readonly userAgent: string | null
  /** An organisation's own provider began it: it opens this organisation alone, and has no operator's rights. */
  readonly orgId?: OrgId
}

export interface Member {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly teams: readonly TeamId[]
  /** Chosen projects of a guest; empty for every other role. */
  readonly projects: readonly ProjectId[]
  readonly joinedMs: number
}

/** Short form of a team for long lists. */
export interface TeamName extends Pick<Team, 'id' | 'slug' | 'name'> {
  /** Whether whoever asks is in it. */
  readonly isMine: boolean
  /** Whether it opens a project that may be read. */
  readonly opens: boolean
}

export interface Team {
  readonly id: TeamId
  readonly slug: string
  readonly name: string
  readonly members: readonly UserId[]
  /** Members who are team admins; the others are contributors. */
  readonly admins: readonly UserId[]
  readonly projects: readonly ProjectId[]
  readonly createdMs: number
  /** Channel where comments that name the team are sent; `null`: nowhere. */
  readonly channelId: number | null
}

export interface Invitation {
  readonly codeHash: string
  readonly orgId: OrgId
  readonly orgName: string
  readonly email: string
  readonly role: Role
  readonly teams: readonly TeamId[]
  /** Chosen projects of an invited guest; projects deleted before they join are left out. */
  readonly projects: readonly ProjectId[]
  readonly createdMs: number
  readonly expiresMs: number
}

/** Delivery state of an invitation's email. */
export interface LetterProgress {
  readonly state: DeliveryState
  readonly tries: number
  readonly says: string | null
  /** Waiting: the next try. */
  readonly nextMs: number | null
  readonly settledMs: number | null
}

/** Whether the link of an invitation may still be used; `open` where it is left out. */
export type InvitationState = 'open' | 'expired'

export interface OpenInvitation extends Invitation {
  /** `null`: it was not emailed. */
  readonly letter: LetterProgress | null
}

/** A bearer token of the web API. Organisation tokens act for the organisation, personal ones for their user. */
export interface Token {
  readonly id: TokenId
  readonly orgId: OrgId
  /** `null` for an organisation token. */
  readonly userId: UserId | null
  readonly name: string
  readonly scopes: readonly string[]
  /** Last characters, so that people tell tokens apart. */
  readonly tail: string
  readonly createdMs: number
  readonly usedMs: number | null
  /** From when on it is worth nothing; `null`: it works until it is revoked. */
  readonly expiresMs: number | null
  /** Author of an organisation token, which outlives them; `null` if unknown. */
  readonly createdBy: { readonly userId: number | null; readonly name: string } | null
  /**
   * Address that an organisation token carries for tools that read it; `null` if it carries none or that is
   * unknown.
   */
  readonly address: string | null
}

export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  readonly actor: string
  readonly userId: UserId | null
  /** Name of the action, such as `member.role_changed`, `key.created`, `session.signed_in`. */
  readonly action: string
  /** Name of the thing that was changed, in words. */
  readonly target: string
  readonly address: string | null
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Reads for authentication come before any scope exists and take secrets' hashes; all others take a scope.
 * Every method answers `null` or an empty list for what is absent, and throws only when the store failed.
 */
export interface AccountsRead extends SearchesRead {
  /** True until the first owner exists. */
  needsSetup(): Promise<boolean>
  /** Origin that setup was done with, or an operator wrote since; `null` when none was kept. */
  publicUrl(): Promise<string | null>
  /** Mail addresses compare case-insensitively. */
  userByEmail(email: string): Promise<(User & { readonly passwordHash: string }) | null>
  user(id: UserId): Promise<User | null>
  passwordHash(id: UserId): Promise<string | null>
  /** The session and its user, when it is neither ended nor older than the limits at `nowMs`. */
  session(tokenHash: string, nowMs: number): Promise<{ session: Session; user: User } | null>
  sessions(id: UserId, nowMs: number): Promise<readonly Session[]>
  memberships(id: UserId): Promise<readonly Membership[]>
  /** Finds a token by the hash of its secret; expired ones are not found. */
  token(
    tokenHash: string,
    nowMs: number,
  ): Promise<{ token: Token; organisation: Organisation; projects: readonly ProjectId[] } | null>
  /** Without Errata's own. */
  organisations(): Promise<readonly Organisation[]>
  /** Returns the artifact quotas of the organisations that set one. */
  artifactQuotas(): Promise<readonly { readonly orgId: OrgId; readonly quota: ArtifactQuota }[]>
  /** By the code that was shown, or the one that was emailed. Expired ones are remembered for a while. */
  invitation(codeHash: string, nowMs: number, state?: InvitationState): Promise<Invitation | null>
  /** The user a reset link was made for. */
  passwordReset(codeHash: string, nowMs: number): Promise<User | null>
  organisation(scope: ReadScope): Promise<Organisation>
  /** Returns the role for people who join without a more specific one. */
  roleDefault(org: OrgId): Promise<GivenRole>
  /** Returns members sorted by name. A guest sees only those who can read one of the guest's projects. */
  members(scope: ReadScope, asked?: NamesAsked<UserId>): Promise<readonly Member[]>
  /** Returns teams sorted by name. A guest sees only those that open one of the guest's projects. */
  teams(scope: ReadScope, asked?: NamesAsked<TeamId>): Promise<readonly Team[]>
  /** The same without who is in them and what they open, of which there may be a thousand each. */
  teamNames(scope: ReadScope, asked?: NamesAsked<TeamId>): Promise<readonly TeamName[]>
  /** Expired ones come latest first, at most `expiredInvitationsShownMax`. */
  invitations(scope: ReadScope, nowMs: number, state?: InvitationState): Promise<readonly OpenInvitation[]>
  tokens(scope: ReadScope): Promise<readonly Token[]>
  /** Newest first. */
  audit(scope: ReadScope, page: AuditPage): Promise<readonly AuditEntry[]>
}

/** Met by an entry that has the text somewhere, whatever the case of a to z, or whose action is one of these. */
export interface AuditWord {
  readonly text: string
  /** Actions whose description contains the text. */
  readonly actions: readonly string[]
}

/** Narrows the audit log; a field that is left out does not narrow it. */
export interface AuditFilter {
  /** Author of the change. */
  readonly userId?: UserId | null
  /** First words of actions: `key` is `key.created`, `key.deleted` and so on. */
  readonly subjects?: readonly string[] | null
  /** Exactly this action. */
  readonly action?: string | null
  /** Exactly this target. */
  readonly target?: string | null
  /** Every one must be met. */
  readonly words?: readonly AuditWord[] | null
  /** Earliest time of an entry, inclusive; `untilMs` is exclusive. */
  readonly fromMs?: number | null
  readonly untilMs?: number | null
}

export interface AuditPage extends AuditFilter {
  readonly limit: number
  /** The id of the last entry of the page before. */
  readonly before: number | null
}
