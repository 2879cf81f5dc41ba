/** Ownership of a project: rules as people write them, and the owners they suggest for issues. */
import type { ProjectId } from '#base/ids.ts'
import type { CodeMapping } from '#model/code-mapping.ts'
import type { Assignee } from './issues.ts'
import type { ReadScope } from './scope.ts'

export interface Ownership {
  /** Rules, one a line; the last that matches comes first. */
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

/** Owner as written: `#team`, an email, or a handle of the repository's host. */
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
  /** Set for rules from `CODEOWNERS` only. */
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

/** Facts of an event that rules match. Hostile; bounded where they are used. */
export interface OwnershipFacts {
  readonly paths: readonly string[]
  readonly modules: readonly string[]
  readonly url: string | null
  readonly tags: readonly { readonly key: string; readonly value: string }[]
  /** Mapping from stack paths to the repository of `CODEOWNERS`. */
  readonly codeMappings: readonly CodeMapping[]
}

export interface SuggestedOwner {
  readonly owner: Assignee
  /** The rule that says so. */
  readonly rule: string
}

export interface OwnershipRead {
  ownership(scope: ReadScope, project: ProjectId): Promise<Ownership>
  /** Returns the owners that rules name for such an event, within an event's budget of steps. */
  ownersByRules(
    scope: ReadScope,
    project: ProjectId,
    facts: OwnershipFacts,
  ): Promise<{ readonly owners: readonly SuggestedOwner[]; readonly isCut: boolean }>
}
