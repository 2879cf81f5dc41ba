/** Types of shared issues, and of issues as text. */
import type { Result } from '#base/result.ts'
import type { IssueShare } from '#ports/issue-shares.ts'
import type { ReadScope } from '#ports/scope.ts'

/** Reader of an issue's Markdown. */
export type MarkdownReader = 'report' | 'agent'

/** A link as those who may read the issue see it. */
export interface ShownShare extends Omit<IssueShare, 'sealedToken'> {
  /** Whoever knows it reads the issue; `null`: it cannot be shown again. */
  readonly token: string | null
}

export interface SharingQueries {
  /** `null`: it is not shared, or not to be seen. */
  issueShare(scope: ReadScope, ref: string): Promise<ShownShare | null>
  /** By the link alone, so often for one address and one link. */
  sharedIssue(token: string, address: string | null): Promise<Result<SharedIssueView>>
  /** `null`: there is no such issue. */
  issueMarkdown(scope: ReadScope, ref: string, reader: MarkdownReader): Promise<string | null>
}

export interface SharedIssueView {
  readonly shortId: string
  readonly project: string
  readonly title: string
  readonly level: string
  readonly status: string
  readonly platform: string
  readonly eventCount: number
  readonly userCount: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  readonly route: string | null
  /** The failure first. */
  readonly exceptions: readonly SharedException[]
  readonly breadcrumbs: readonly SharedCrumb[]
  readonly tags: readonly (readonly [key: string, value: string])[]
}

export interface SharedException {
  readonly type: string
  readonly value: string
  /** Nearest to the failure first. */
  readonly frames: readonly SharedFrame[]
}

export interface SharedFrame {
  readonly function: string | null
  readonly filename: string | null
  readonly line: number | null
  readonly isApp: boolean
  readonly code: readonly { readonly number: number; readonly text: string }[]
}

export interface SharedCrumb {
  readonly atMs: number | null
  readonly level: string
  readonly category: string
}
