/** What every command is made of. */
import type { Accept } from '#accept/types.ts'
import { can } from '#access/access.ts'
import type { PasswordHasher } from '#access/password.ts'
import type { Permission } from '#access/permissions.ts'
import { PERMISSIONS } from '#access/permissions.ts'
import type { SignInLimits } from '#access/sign-in-limits.ts'
import type { Access, PersonViewer, Viewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import { ErrataError } from '#base/errors.ts'
import type { Random } from '#base/random.ts'
import { type Refusal, type Result, refuse } from '#base/result.ts'
import type { AccountsRead, AccountsWrite } from '#ports/accounts.ts'
import type { IssuesRead, IssuesWrite } from '#ports/issues.ts'
import type { ProjectsRead, ProjectsWrite } from '#ports/projects.ts'
import type { Actor, ReadScope } from '#ports/scope.ts'
import type { IssueSearch } from '#queries/search/issue-search.ts'
import type { NoticeCommandParts } from './notices.ts'
import type { PersonData } from './people.ts'
import type { RequestFacts } from './types.ts'

export interface CommandParts {
  readonly accounts: AccountsRead
  readonly accountsWrite: AccountsWrite
  readonly projects: ProjectsRead
  readonly projectsWrite: ProjectsWrite
  readonly issues: Pick<IssuesRead, 'issue'>
  readonly issuesWrite: IssuesWrite
  readonly notices?: NoticeCommandParts
  /** Absent on the command line, which has no column store. */
  readonly people?: PersonData
  readonly access: Access
  /** Selects issues by search; absent on the command line, which changes no issues. */
  readonly queries?: { readonly search: Pick<IssueSearch, 'select'> }
  readonly accept: Pick<Accept, 'accept'>
  readonly clock: Clock
  readonly random: Random
  /** Public address without trailing slash. */
  readonly publicUrl: () => string
  /** First path segments of the app: no organisation may be called so. */
  readonly reservedSlugs: readonly string[]
  /** Awaited after every change of projects or keys, so that ingest knows at once. */
  readonly onDirectoryChanged: () => Promise<void>
  readonly passwords: PasswordHasher
  readonly signInLimits: SignInLimits
}

/** Who changes something, as it is recorded. */
export function actorOf(
  parts: Pick<CommandParts, 'clock'>,
  viewer: Viewer | null,
  facts: RequestFacts,
): Actor {
  const at = { address: facts.address, atMs: parts.clock.now() }
  if (viewer === null) return { userId: null, tokenId: null, label: 'Errata', ...at }
  if (viewer.kind === 'person')
    return { userId: viewer.user.id, tokenId: null, label: personName(viewer), ...at }
  const { token, user } = viewer
  return { userId: user?.id ?? null, tokenId: token.id, label: `token ${token.name}`, ...at }
}

function personName({ user }: PersonViewer): string {
  return user.name === '' ? user.email : user.name
}

/** `null` when the viewer may; otherwise why not. */
export function refusalOf(viewer: Viewer, scope: ReadScope, permission: Permission): Refusal | null {
  if (can(viewer, scope, permission)) return null
  const who = viewer.kind === 'token' ? 'The scopes of this token do' : 'Your role does'
  return refuse('forbidden', `${who} not allow to ${PERMISSIONS[permission].what}.`)
}

/** Runs what hashes a password; too many at once is a refusal, not a failure. */
export async function whileHashing<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof ErrataError && cause.code === 'too_many_attempts') {
      return { ...refuse(cause.code, cause.message), retryAfterSeconds: 5 }
    }
    throw cause
  }
}

export function tooManyAttempts(retryAfterSeconds: number): Refusal {
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60))
  const message = `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  return { ...refuse('too_many_attempts', message), retryAfterSeconds }
}

/** A projects' or keys' change is known to ingest before the command answers. */
export async function announced<T>(
  parts: Pick<CommandParts, 'onDirectoryChanged'>,
  change: Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await change
  if (result.ok) await parts.onDirectoryChanged()
  return result
}
