/** Who owns what of a project: rules as people write them, and the owners they suggest for issues. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { CodeMapping } from '#model/code-mapping.ts'
import type { Assignee } from './issues.ts'
import type { Actor, ReadScope } from './scope.ts'

export interface Ownership {
  /** One a line; the last that holds comes before the others. */
  readonly rules: string
  /** A `CODEOWNERS` file; every rule comes before it. */
  readonly codeOwners: string
  /** Whether new issues are assigned to the first of their owners. */
  readonly isAutoAssigned: boolean
  /** Whether the author of the commit that may have caused them, where one is known, comes before their owners. */
  readonly assignsSuspects: boolean
  /** `null`: nobody has set anything. */
  readonly createdMs: number | null
  readonly changedMs: number | null
  /** New issues since the last change for which the rules took more steps than they may; `null`: none. */
  readonly cut: OwnershipCut | null
}

export interface OwnershipCut {
  readonly issues: number
  /** When it happened last. */
  readonly atMs: number
}

export const NO_OWNERSHIP: Ownership = {
  rules: '',
  codeOwners: '',
  isAutoAssigned: false,
  assignsSuspects: false,
  createdMs: null,
  changedMs: null,
  cut: null,
}

export type OwnershipChange = Partial<Omit<Ownership, 'createdMs' | 'changedMs' | 'cut'>>

/** As it is written: `#team`, an email, or a handle of a repository's host. */
export interface OwnerName {
  readonly by: 'team' | 'email' | 'mention'
  readonly name: string
}

export interface OwnershipRule {
  /** From 1. */
  readonly line: number
  /** `path`, `module`, `url`, `tags.KEY` or `codeowners`. */
  readonly matcher: string
  readonly pattern: string
  readonly owners: readonly OwnerName[]
  /** Of `CODEOWNERS` alone. */
  readonly file?: FileRule
}

export interface FileRule {
  /** The section of GitLab's that it stands in, in small letters: each names owners of its own. Empty: none. */
  readonly section: string
  /** `!pattern`: what it holds belongs to nobody of the section, whatever else is said there. */
  readonly excludes: boolean
  /** The pattern, taken apart. */
  readonly segments: readonly string[]
}

export interface OwnershipProblem {
  readonly line: number
  readonly says: string
}

/** What of an event rules are asked of. Hostile, and bounded where it is used. */
export interface OwnershipFacts {
  readonly paths: readonly string[]
  readonly modules: readonly string[]
  readonly url: string | null
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  /** Where paths of stacks are in the repository that a `CODEOWNERS` file is of. */
  readonly codeMappings: readonly CodeMapping[]
}

export interface SuggestedOwner {
  readonly owner: Assignee
  /** The rule that says so. */
  readonly rule: string
}

export interface OwnershipRead {
  ownership(scope: ReadScope, project: ProjectId): Promise<Ownership>
  /** Whom the rules name for such an event, as far as one event may take steps. */
  ownersByRules(
    scope: ReadScope,
    project: ProjectId,
    facts: OwnershipFacts,
  ): Promise<{ readonly owners: readonly SuggestedOwner[]; readonly isCut: boolean }>
  /** As the rules said when the issue began, the first before the others; empty where none held. */
  ownersOfIssue(scope: ReadScope, id: IssueId): Promise<readonly SuggestedOwner[]>
}

export interface OwnershipWrite {
  /**
   * One transaction, with its audit entry. Names that nobody has are taken: people and teams come and go. `seen`:
   * `changedMs`, which stands for texts that are too long to send twice.
   */
  setOwnership(
    place: { readonly org: OrgId; readonly project: ProjectId },
    change: OwnershipChange & { readonly seen?: Readonly<Record<string, unknown>> | undefined },
    actor: Actor,
  ): Promise<Result<null>>
}
