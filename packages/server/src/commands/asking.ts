/**
 * Person or token who asks for a change. First argument of every command; the second is what is asked for.
 */
import { can } from '#access/access.ts'
import { PERMISSIONS, type Permission } from '#access/permissions.ts'
import type { About, PersonViewer, Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'

/** Facts of the request: all that is known before anybody has signed in. */
export interface RequestFacts {
  readonly address: string | null
  readonly userAgent: string | null
  /** Cookie of a browser that has signed in before (`access/known-device.ts`). */
  readonly device?: string | null
  /** Runs what needs time but not the thread: another request has its turn meanwhile. */
  readonly aside?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Somebody signed in, who changes what is their own or no organisation's. */
export interface PersonAsking extends RequestFacts {
  readonly viewer: PersonViewer
}

/** Somebody who changes what an organisation has: `scope` is what they may read of it. */
export interface Asking<Who extends Viewer = Viewer> extends RequestFacts {
  readonly viewer: Who
  readonly scope: ReadScope
  /** Through what they ask, where that is neither a browser nor the web API. */
  readonly via?: 'Slack'
}

interface WithClock {
  readonly clock: Clock
}

/** Returns the author of a change, as it is recorded. */
export function actorOf(
  { clock }: WithClock,
  { viewer, address, via }: RequestFacts & Pick<Asking, 'via'> & { readonly viewer: Viewer },
): Actor {
  const at = { address, atMs: clock.now() }
  if (viewer.kind === 'person')
    return { userId: viewer.user.id, tokenId: null, label: nameOfPerson(viewer), ...at }
  const { token, user } = viewer
  if (via !== undefined && user !== null)
    return { userId: user.id, tokenId: null, label: `${nameOfPerson({ user })} by ${via}`, ...at }
  return { userId: user?.id ?? null, tokenId: token.id, label: `token ${token.name}`, ...at }
}

/** Returns the author of what is done before anybody has signed in, or by the command line. */
export function unnamedActor({ clock }: WithClock, { address }: RequestFacts): Actor {
  return { userId: null, tokenId: null, label: 'Errata', address, atMs: clock.now() }
}

function nameOfPerson({ user }: Pick<PersonViewer, 'user'>): string {
  return user.name === '' ? user.email : user.name
}

/**
 * Asks for a confirmation before what is dangerous. `null` when whoever asks proved lately who they are. A token
 * proves it with every call.
 */
export function refuseUnconfirmed(
  { clock }: WithClock,
  { viewer }: { readonly viewer: Viewer },
): Refusal | null {
  if (viewer.kind === 'token' || viewer.session.confirmedMs > clock.now() - max('confirmedMs')) return null
  return refuse('confirm_needed', 'Confirm it’s you, then try again.')
}

/**
 * Asks whether a session may change how its account signs in. `null` when whoever asks may change how their account
 * signs in, and proved lately who they are. An organisation's provider can name anybody: a session that it began adds
 * no way into the whole account.
 */
export function refuseAccountChange(
  parts: WithClock,
  { viewer }: { readonly viewer: PersonViewer },
): Refusal | null {
  if (viewer.session.orgId === undefined) return refuseUnconfirmed(parts, { viewer })
  return refuseOwnSignIn()
}

/**
 * `null` when the account is the session's to change: what it is called, and what it is emailed. What a provider began
 * changes an account that its own organisation made, and no other.
 */
export function refuseForeignAccount({ user, session }: PersonViewer): Refusal | null {
  return isForeignAccount({ user, session }) ? refuseOwnSignIn() : null
}

export function isForeignAccount({ user, session }: Pick<PersonViewer, 'user' | 'session'>): boolean {
  return session.orgId !== undefined && session.orgId !== user.orgIdManaging
}

export function refuseOwnSignIn(): Refusal {
  return refuse(
    'forbidden',
    'You signed in with single sign-on. Sign in with your own password or passkey to change this.',
  )
}

/** Returns why whoever asks may not do something; `null` if they may. */
export function refusalOf(
  { viewer, scope }: Pick<Asking, 'viewer' | 'scope'>,
  permission: Permission,
  about: About = {},
): Refusal | null {
  if (can(viewer, scope, permission, about)) return null
  const who = viewer.kind === 'token' ? 'The scopes of this token do' : 'Your role does'
  return refuse('forbidden', `${who} not allow to ${PERMISSIONS[permission].what}.`)
}
