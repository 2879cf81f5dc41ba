/** Rules of accounts that hold whatever store keeps them, and what is said when one is broken. */
import { DAY_MS, MINUTE_MS } from '#base/durations.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { AgentCall } from './agent-call.ts'

const SHOWN_CHARS = 100

/** Folds an address for comparison. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** A session is valid if it started after `bornAfter` and was last used after `seenAfter`. */
export function sessionLimits(nowMs: number): { readonly bornAfter: number; readonly seenAfter: number } {
  return {
    bornAfter: nowMs - max('sessionDays') * DAY_MS,
    seenAfter: nowMs - max('sessionIdleDays') * DAY_MS,
  }
}

/** Use of sessions and tokens is noted when the last note is no younger: at most once a minute. */
export function noteUseBefore(nowMs: number): number {
  return nowMs - MINUTE_MS
}

/** An address as typed, for the audit log. */
export function shownEmail(email: string): string {
  return email.slice(0, SHOWN_CHARS)
}

/** Until when a token works, for the audit log. */
export function expiryText(expiresMs: number | null): string {
  return expiresMs === null ? 'never' : new Date(expiresMs).toISOString().slice(0, 10)
}

type InvitedRole = 'owner' | 'manager' | 'member' | 'viewer' | 'guest'

/** The roles that somebody of a role may not invite to; `null`: who is no member. Their open invitations to those end. */
export function rolesNotInvited(role: string | null): readonly InvitedRole[] {
  if (role === 'owner') return []
  return role === 'manager' ? ['owner'] : ['owner', 'manager', 'member', 'viewer', 'guest']
}

const ABOUT_CHARS = 200

/** The audit entry of an agent's call: what came from the agent is shortened, an answer's text is not kept. */
export function agentCallNote({ tool, about, chars, tookMs, refused }: AgentCall) {
  return {
    action: 'agent.called',
    target: tool.slice(0, SHOWN_CHARS),
    detail: {
      about: about.slice(0, ABOUT_CHARS),
      chars,
      tookMs: Math.round(tookMs),
      refused: refused?.slice(0, ABOUT_CHARS) ?? null,
    },
  }
}

/** A copy that somebody takes: which part of the audit log, or of which project a person's data. */
export interface ExportNoted {
  readonly format: string
  readonly asked: string
  readonly of?: 'audit' | 'person'
}

export function auditExportNote({ format, asked, of = 'audit' }: ExportNoted) {
  return { action: `${of}.exported`, target: format, detail: { asked: asked.slice(0, ABOUT_CHARS) } }
}

/** Owners and managers read every project of the organisation, others those of their teams. */
export const ROLES_OF_EVERY_PROJECT: readonly string[] = ['owner', 'manager']

export function opensEveryProject(role: string): boolean {
  return ROLES_OF_EVERY_PROJECT.includes(role)
}

/** Whether a member is told of: guests know of those alone who read one of their projects. */
export function isKnownTo(
  { isGuest = false }: { readonly isGuest?: boolean },
  member: { readonly role: string; readonly teams: readonly number[]; readonly projects: readonly number[] },
): boolean {
  if (!isGuest || opensEveryProject(member.role)) return true
  return member.teams.length > 0 || member.projects.length > 0
}

export const ACCOUNT_REFUSALS = {
  setUpAlready: () => refuse('conflict', 'Errata is already set up. Sign in instead.'),
  ownerUnknown: () => refuse('not_found', 'The account that should own the organisation does not exist.'),
  organisationGone: () => refuse('not_found', 'The organisation no longer exists.'),
  organisationSlug: (slug: string) =>
    refuse('conflict', `The slug “${slug}” is taken. Choose another.`, {
      slug: ['Another organisation has this slug.'],
    }),
  sessionEnded: () => refuse('not_found', 'The session has already ended.'),
  resetLink: () => refuse('link_expired', 'This link was already used or has expired.'),
  invitationGone: () => refuse('not_found', 'The invitation was already used or revoked.'),
  invitationLink: () => refuse('link_expired', 'This invitation was already used or has expired.'),
  memberAlready: (email: string) =>
    refuse('conflict', `${email} is already a member.`, { email: ['They are already a member.'] }),
  accountGone: () => refuse('not_found', 'The account does not exist.'),
  accountKnown: (email: string) =>
    refuse('conflict', `${email} already has an account. Sign in, then open this link again.`),
  noMember: () => refuse('not_found', 'They aren’t a member of this organisation.'),
  noTeam: () => refuse('not_found', 'The team does not exist.'),
  teamSlug: (slug: string) =>
    refuse('conflict', `There is already a team “${slug}”.`, { slug: ['Another team has this slug.'] }),
  teamUnknown: () =>
    refuse('invalid_input', 'One of the teams does not exist.', {
      teams: ['Each must be a team of the organisation.'],
    }),
  projectUnknown: () =>
    refuse('invalid_input', 'A guest needs a project of this organisation.', {
      projects: ['Choose at least one project.'],
    }),
  tokenRevoked: () => refuse('not_found', 'The token was already revoked.'),
} as const

/** Refuses more members than the bound; `count` has members and open invitations. */
export function refuseMembers(count: number): Refusal | null {
  const most = max('membersPerOrgMax')
  return count < most ? null : refuse('conflict', `An organisation has at most ${most} members.`)
}

/**
 * Refuses more directory users than an organisation keeps; deactivated ones count although they are no
 * members.
 */
export function refuseDirectoryUsers(count: number): Refusal | null {
  const most = max('directoryUsersPerOrgMax')
  if (count < most) return null
  return refuse('conflict', `An organisation has at most ${most} provisioned users. Delete some first.`)
}

export function refuseTeams(count: number): Refusal | null {
  const most = max('teamsPerOrgMax')
  return count < most ? null : refuse('conflict', `An organisation has at most ${most} teams.`)
}

/** Open ones of the organisation that the same person made. */
export function refuseInvitations(count: number): Refusal | null {
  const most = max('invitationsPerPersonMax')
  if (count < most) return null
  return refuse('conflict', `One person has at most ${most} open invitations. Revoke one first.`)
}

export function refuseOrganisations(count: number): Refusal | null {
  const most = max('organisationsMax')
  return count < most ? null : refuse('conflict', `An installation has at most ${most} organisations.`)
}

/** Refuses more tokens than the organisation, or one person in it, may have; the two are counted apart. */
export function refuseTokens(of: 'organisation' | 'person', count: number): Refusal | null {
  const most = max(of === 'person' ? 'tokensPerPersonMax' : 'tokensPerOrgMax')
  if (count < most) return null
  const what =
    of === 'person' ? `A person has at most ${most} personal` : `An organisation has at most ${most}`
  return refuse('conflict', `${what} tokens. Revoke one first.`)
}

/**
 * Refuses a change of a member whose role somebody else has changed since: the editor may not be allowed to
 * change the new role.
 */
export function refuseOtherRole(role: string, known: { readonly role?: string }): Refusal | null {
  if (known.role === undefined || known.role === role) return null
  return refuse('conflict', 'Someone else changed this member’s role. Reload the page and try again.')
}

/** The last owner stays one. `owners`: how many there are. */
export function refuseLastOwner(
  what: 'demoted' | 'removed',
  { role, owners }: { readonly role: string; readonly owners: number },
): Refusal | null {
  if (role !== 'owner' || owners !== 1) return null
  return refuse('conflict', `The last owner cannot be ${what}. Make another member an owner first.`)
}

/** Refuses people or projects that do not belong to the team's organisation. */
export function refuseStrangers(strangers: {
  readonly members: boolean
  readonly projects: boolean
}): Refusal | null {
  if (strangers.members) {
    return refuse('invalid_input', 'A team can only have members of its organisation, and no guests.', {
      members: ['Each must be a member of the organisation, and no guest.'],
    })
  }
  if (!strangers.projects) return null
  return refuse('invalid_input', 'A team can only have projects of its organisation.', {
    projects: ['Each must be a project of the organisation.'],
  })
}
