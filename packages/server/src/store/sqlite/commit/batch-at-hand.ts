/** A batch, and what earlier stages of its commit did with it: what a stage picks from. */
import type { ProjectId } from '#base/ids.ts'
import type { KindDelta } from '#issues/batch-parts.ts'
import type { SessionChanges } from '#issues/session-changes.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { ControlBatch, GroupDelta } from '#ports/ingest.ts'
import type { FailureSeen, RequestsPart } from '#ports/requests.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import { afterMoves, type MovedIssues } from '#skew/gathering.ts'
import type { BatchProjects } from '../batch-projects.ts'
import type { GroupsStory } from '../ingest/groups-of-batch.ts'
import type { IssuesStory } from '../ingest/issues-of-batch.ts'
import type { GroupMove } from '../issues/issue-merge.ts'
import type { ReleasesStory } from '../releases/seen-releases.ts'
import type { RequestsStory } from '../requests/requests-of-batch.ts'
import type { Remembered } from './remembered.ts'

/** State that is read before anything else of a batch. */
export interface BeforeBatch {
  readonly appliedSeq: number
  /** Day of the last removal of what has reached its age, which comes between batches. */
  readonly prunedDay: number
  readonly alertsVersion: number | null
  /** A span has failed somewhere: nearly everywhere none has. */
  readonly hasSpanFailures: number
  readonly hasMirrors: number
  /** Greatest ids that were given: those after them are free. */
  readonly lastGroup: number
  readonly lastIssue: number
  readonly lastKey: number
}

/** Outcome of all stages. */
export interface Story
  extends ReleasesStory,
    GroupsStory,
    IssuesStory,
    RequestsStory,
    Pick<SessionChanges, 'leftOut'> {
  /** Groups whose events another issue had before. */
  readonly adopted: readonly GroupMove[]
  /** Mirrors that began to wait. */
  readonly begunMirrors: readonly number[]
  /** Projects of which this is the first that is stored. */
  readonly firstEvents: readonly ProjectId[]
}

export const NO_STORY: Story = {
  ...{ newIssues: [], returnedIssues: [], begun: [], waiting: [], groups: [], countedGroups: [] },
  ...{
    known: new Map(),
    tags: null,
    texts: [],
    changedTexts: [],
    adopted: [],
    begunMirrors: [],
    segments: [],
    moves: [],
  },
  ...{ behind: [], namedFunctions: [], leftOut: [], firstEvents: [] },
  ...{ hasNewReleases: false, changedHours: new Set() },
}

/** Facts that a stage tells those after it. */
export interface Told extends Partial<Story> {
  /** Issues that become part of others: nobody is told of those. */
  readonly moved?: MovedIssues
  /** Rows of groups or issues were written past what is remembered of them. */
  readonly isChanged?: boolean
  /** Rows of issues alone were: they are called otherwise. */
  readonly areRenamed?: boolean
}

export interface BatchAtHand extends Story {
  readonly batch: ControlBatch
  readonly before: BeforeBatch
  readonly nowMs: number
  readonly projects: BatchProjects
  readonly remembered: Remembered
  /** Issues of the batch became part of others. */
  readonly isChanged: boolean
  /** Additions to groups. */
  readonly kinds: readonly KindDelta[]
  readonly deltas: readonly GroupDelta[]
  readonly sessions: readonly SessionDelta[]
  readonly requests: readonly RequestsPart[]
  readonly failures: readonly FailureSeen[]
  readonly stale: readonly StaleClickSeen[]
  readonly attachments: readonly StoredAttachment[]
}

/** The batch with what a stage told; `undefined`: nothing. */
export function withTold(at: BatchAtHand, told: Told | undefined): BatchAtHand {
  if (told === undefined) return at
  const { moved, isChanged = false, areRenamed = false, ...story } = told
  if (isChanged) at.remembered.groups.clear()
  if (isChanged || areRenamed) at.remembered.issues.clear()
  const now = { ...at, ...story, isChanged: at.isChanged || isChanged }
  if (moved === undefined || moved.size === 0) return now
  const begun = now.begun.filter(({ issueId }) => !moved.has(issueId))
  return { ...afterMoves(now, moved), begun }
}
