/**
 * What people change. Each command checks the permission itself, then asks the one writer for one named operation.
 * Expected refusals are `Result`s. The input has been read by the schema of `commands/schemas.ts`.
 */

import type { PersonViewer, Viewer } from '#access/viewer.ts'
import type { IssueId, KeyId, OrgId, ProjectId, SessionId, TeamId, TokenId, UserId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { Role, Theme } from '#ports/accounts.ts'
import type { Project, ProjectKey, ProjectOptions, RateLimit } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { NoticeCommands } from './notices.ts'
import type { PeopleCommands } from './people.ts'

/** What the request says about whoever changes something. */
export interface RequestFacts {
  readonly address: string | null
  readonly userAgent: string | null
}

export interface SignedIn {
  /** Value for the session cookie; only its hash is stored. */
  readonly cookie: string
  readonly userId: UserId
  readonly maxAgeSeconds: number
}

export interface SetupInput {
  /** The one-time code that the server printed; `null` for the command line, which needs none. */
  readonly code: string | null
  readonly email: string
  readonly password: string
  readonly name?: string
  readonly organisation: string
  readonly project: string
  readonly platform?: string | null
}

/** Which issues a change names: ids or short ids, or everything a search finds. */
export type IssueSelection =
  | { readonly refs: readonly string[] }
  | { readonly query: string; readonly projects: readonly string[] }

/** When an archived issue comes back: with whichever is first. All `null`: never. */
export interface ArchiveRequest {
  /** So many more events. */
  readonly eventsMore: number | null
  readonly usersMore: number | null
  readonly minutes: number | null
}

export interface Commands extends NoticeCommands, PeopleCommands {
  setup(
    input: SetupInput,
    facts: RequestFacts,
  ): Promise<
    Result<{
      readonly signedIn: SignedIn
      readonly organisation: string
      readonly project: string
      readonly dsn: string
    }>
  >
  /** The code that `/setup` asks for; `null` once set up. */
  setupCode(): string | null
  signIn(email: string, password: string, facts: RequestFacts): Promise<Result<SignedIn>>
  signOut(viewer: PersonViewer, facts: RequestFacts): Promise<void>
  changePassword(
    viewer: PersonViewer,
    current: string,
    next: string,
    facts: RequestFacts,
  ): Promise<Result<null>>
  resetPassword(code: string, password: string, facts: RequestFacts): Promise<Result<SignedIn>>
  /** Makes a reset link's code for an account; operator and command line. */
  createPasswordReset(
    email: string,
    facts: RequestFacts,
  ): Promise<Result<{ readonly code: string; readonly url: string }>>
  endSession(viewer: PersonViewer, id: SessionId, facts: RequestFacts): Promise<Result<null>>
  setProfile(
    viewer: PersonViewer,
    change: { readonly name?: string; readonly theme?: Theme; readonly orgIdLast?: OrgId },
    facts: RequestFacts,
  ): Promise<Result<null>>
  createOrganisation(
    viewer: PersonViewer,
    name: string,
    facts: RequestFacts,
  ): Promise<Result<{ readonly slug: string }>>
  renameOrganisation(
    viewer: Viewer,
    scope: ReadScope,
    change: { readonly name: string; readonly slug: string },
    facts: RequestFacts,
  ): Promise<Result<{ readonly slug: string }>>
  invite(
    viewer: Viewer,
    scope: ReadScope,
    input: { readonly email: string; readonly role: Role; readonly teams: readonly TeamId[] },
    facts: RequestFacts,
  ): Promise<Result<{ readonly code: string; readonly url: string }>>
  revokeInvitation(
    viewer: Viewer,
    scope: ReadScope,
    codeHash: string,
    facts: RequestFacts,
  ): Promise<Result<null>>
  /** `viewer` null: a new account; otherwise the invitation is added to the signed-in one. */
  acceptInvitation(
    code: string,
    account: { readonly name: string; readonly password: string } | PersonViewer,
    facts: RequestFacts,
  ): Promise<Result<SignedIn | null>>
  setRole(
    viewer: Viewer,
    scope: ReadScope,
    user: UserId,
    role: Role,
    facts: RequestFacts,
  ): Promise<Result<null>>
  removeMember(viewer: Viewer, scope: ReadScope, user: UserId, facts: RequestFacts): Promise<Result<null>>
  createTeam(
    viewer: Viewer,
    scope: ReadScope,
    name: string,
    facts: RequestFacts,
  ): Promise<Result<{ readonly id: TeamId; readonly slug: string }>>
  setTeam(
    viewer: Viewer,
    scope: ReadScope,
    team: TeamId,
    change: {
      readonly name?: string
      readonly members?: readonly UserId[]
      readonly projects?: readonly ProjectId[]
    },
    facts: RequestFacts,
  ): Promise<Result<null>>
  deleteTeam(viewer: Viewer, scope: ReadScope, team: TeamId, facts: RequestFacts): Promise<Result<null>>
  createToken(
    viewer: Viewer,
    scope: ReadScope,
    input: { readonly name: string; readonly scopes: readonly string[]; readonly personal: boolean },
    facts: RequestFacts,
  ): Promise<Result<{ readonly id: TokenId; readonly token: string }>>
  revokeToken(viewer: Viewer, scope: ReadScope, id: TokenId, facts: RequestFacts): Promise<Result<null>>
  createProject(
    viewer: Viewer,
    scope: ReadScope,
    input: {
      readonly name: string
      readonly slug?: string
      readonly platform: string | null
      readonly teams: readonly TeamId[]
    },
    facts: RequestFacts,
  ): Promise<Result<{ readonly project: Project; readonly dsn: string }>>
  updateProject(
    viewer: Viewer,
    scope: ReadScope,
    id: ProjectId,
    change: {
      readonly name?: string
      readonly slug?: string
      readonly platform?: string | null
      readonly options?: ProjectOptions
    },
    facts: RequestFacts,
  ): Promise<Result<Project>>
  deleteProject(viewer: Viewer, scope: ReadScope, id: ProjectId, facts: RequestFacts): Promise<Result<null>>
  createKey(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    input: { readonly name: string; readonly rateLimit: RateLimit | null },
    facts: RequestFacts,
  ): Promise<Result<ProjectKey>>
  updateKey(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    id: KeyId,
    change: { readonly name?: string; readonly isActive?: boolean; readonly rateLimit?: RateLimit | null },
    facts: RequestFacts,
  ): Promise<Result<ProjectKey>>
  /** Makes a new key of the same name and limit and disables the old one. */
  rotateKey(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    id: KeyId,
    facts: RequestFacts,
  ): Promise<Result<ProjectKey>>
  deleteKey(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    id: KeyId,
    facts: RequestFacts,
  ): Promise<Result<null>>
  resolveIssues(
    viewer: Viewer,
    scope: ReadScope,
    selection: IssueSelection,
    facts: RequestFacts,
  ): Promise<Result<readonly IssueId[]>>
  unresolveIssues(
    viewer: Viewer,
    scope: ReadScope,
    selection: IssueSelection,
    facts: RequestFacts,
  ): Promise<Result<readonly IssueId[]>>
  archiveIssues(
    viewer: Viewer,
    scope: ReadScope,
    selection: IssueSelection,
    until: ArchiveRequest,
    facts: RequestFacts,
  ): Promise<Result<readonly IssueId[]>>
  assignIssues(
    viewer: Viewer,
    scope: ReadScope,
    selection: IssueSelection,
    assignee: UserId | null,
    facts: RequestFacts,
  ): Promise<Result<readonly IssueId[]>>
  mergeIssues(
    viewer: Viewer,
    scope: ReadScope,
    selection: IssueSelection,
    facts: RequestFacts,
  ): Promise<Result<IssueId>>
  commentIssue(
    viewer: Viewer,
    scope: ReadScope,
    ref: string,
    text: string,
    facts: RequestFacts,
  ): Promise<Result<null>>
  deleteIssues(
    viewer: Viewer,
    scope: ReadScope,
    selection: IssueSelection,
    facts: RequestFacts,
  ): Promise<Result<readonly IssueId[]>>
  /** Sends one marked test event through the project's own ingest path. */
  sendTestEvent(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    facts: RequestFacts,
  ): Promise<Result<{ readonly eventId: string }>>
}
