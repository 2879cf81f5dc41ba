/**
 * Store of rule evaluation: everything is read and written in one transaction. Implementations return plain
 * rows and decide nothing.
 */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { AlertIssue, AlertMessage } from '#model/alert-message.ts'
import type { AlertRule, QuietHours, RuleState } from '#model/alert-rule.ts'
import type { Level } from '#model/event.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { Priority } from '#model/priority.ts'
import type { Firing, RequestHour, RequestHoursQuery, Untold } from '#ports/alerts.ts'
import type { SessionCounts } from '#ports/health.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import type { IssueStatus, IssueSubstatus } from '#ports/issues.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { SlotRow, Width } from './slots.ts'
import type { SeenFacts } from './watch.ts'

/** Reason to look at an issue. `touched`: events arrived; the beat asks what they amount to. */
export type CandidateMoment =
  | 'new'
  | 'regressed'
  | 'resolved'
  | 'comment'
  | 'assignment'
  | 'digest'
  | 'touched'
  | 'escalating'

export interface Candidate {
  readonly id: number
  readonly projectId: ProjectId
  readonly issueId: IssueId
  readonly moment: CandidateMoment
  readonly atMs: number
  readonly facts: SeenFacts
  /** Unset for one that no rule looked at yet. */
  readonly progress?: CandidateProgress
}

/** Place at which an evaluation goes on that was left in the midst of rules. */
export interface CandidateProgress {
  /** The last rule that looked. */
  readonly after: number
  /** The limit that it exceeded, if it began to escalate with the first of them. */
  readonly escalation: string | null
}

export interface WatchedIssue {
  readonly id: IssueId
  readonly number: number
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly handled: boolean | null
  readonly priority: Priority
  readonly level: Level
  readonly title: string
  /** Title of its events, if it names no deploy; the issue's by default. */
  readonly eventTitle?: string
  readonly culprit: string
  readonly firstSeenMs: number
  readonly assigneeId: UserId | null
  /** Whether it is assigned to a team. */
  readonly isOfTeam: boolean
}

export interface NamedProject {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
}

export interface NamedOrg {
  readonly id: OrgId
  readonly slug: string
  readonly name: string
}

export interface RuleStateRow {
  readonly level: RuleState
  readonly sinceMs: number
  readonly value: number | null
  readonly firingId: number | null
  readonly toldMs: number | null
  /** Since when a storm of issues is gathered; `null` outside of one. */
  readonly stormMs: number | null
}

export interface NewFiring
  extends Pick<Firing, 'level' | 'startedMs' | 'endedMs' | 'extreme' | 'headline' | 'because'> {
  readonly ruleId: number
  readonly projectId: ProjectId | null
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
  readonly untold: Untold | null
}

export interface AlertStore {
  /** Oldest first, organisations by turns; of issues that wait for a server's half none, until they stand alone. */
  candidates(limit: number): Iterable<Candidate>
  removeCandidates(ids: readonly number[]): void
  /** Forgotten once more came to it meanwhile: all rules look again. */
  keepProgress(id: number, progress: CandidateProgress): void
  /** All that are on. */
  rulesOn(): readonly AlertRule[]
  /** `null` for one that is gone. */
  issue(id: IssueId): WatchedIssue | null
  /** Returns the issue as messages show it: far more to read, and few of those looked at fire anything. */
  told(id: IssueId): AlertIssue
  project(id: ProjectId): (NamedProject & { readonly orgId: OrgId }) | null
  projects(org: OrgId): readonly NamedProject[]
  organisation(id: OrgId): NamedOrg
  quietHours(org: OrgId): QuietHours
  latestRelease(project: ProjectId): string | null
  slots(key: string, width: Width, first: number, last: number): readonly SlotRow[]
  /** Events by hour since 1970, from `first` on. */
  issueHours(issue: IssueId, first: number): ReadonlyMap<number, number>
  /** The issue with the most events; of issues that wait for a server's half none. */
  busiestIssue(query: BusiestQuery): IssueId | null
  /** The action that failed most, of those that have a name; `null`: none failed. */
  failingAction(query: Omit<BusiestQuery, 'kind'>): FailingAction | null
  outcomes(query: {
    readonly projects: readonly ProjectId[]
    readonly outcomes: readonly OutcomeName[]
    /** `null`: of every category. */
    readonly category: string | null
    readonly startMs: number
    readonly endMs: number
  }): number
  /** When the newest event or span was accepted, of those after `sinceMs`. */
  lastAcceptedMs(project: ProjectId, sinceMs: number): number | null
  requestHours(query: RequestHoursQuery & { readonly projects: readonly ProjectId[] }): readonly RequestHour[]
  /** `people` and `crashedPeople`: distinct ones. */
  sessions(query: SessionsQuery): SessionCounts & { readonly people: number; readonly crashedPeople: number }
  state(rule: number): RuleStateRow | null
  putState(rule: number, state: RuleStateRow): void
  /** When the rule fired for the issue last. */
  lastFiredMs(rule: number, issue: IssueId): number | null
  /** Firings of an issue rule after `afterMs`; `told`: those that were told by themselves. */
  firedAfter(
    rule: number,
    afterMs: number,
  ): {
    readonly told: number
    readonly headlines: readonly string[]
    /** Newest issue among those that wait for the end of a storm. */
    readonly last?: { readonly issueId: IssueId; readonly projectId: ProjectId } | null
  }
  addFiring(firing: NewFiring): number
  /** The worst that it was; `null` once it is gone. */
  firingLevel(id: number): NewFiring['level'] | null
  changeFiring(id: number, change: Partial<Pick<NewFiring, 'level' | 'endedMs' | 'extreme'>>): void
  queueMessages(messages: readonly NewMessage[], nowMs: number): void
  /**
   * Returns what pagers were told last about the issue, unless that it is over; one per channel and story.
   */
  openIncidents(issue: IssueId): readonly OpenIncident[]
  /** Writes changes and what follows from them. */
  changeIssues(changes: readonly IssueChanged[]): void
}

/** Something that a pager shows until it is told that it is over. */
export interface OpenIncident {
  readonly channelId: number
  readonly firingId: number | null
  readonly rule: AlertMessage['rule']
  readonly story: string
}

/** `null`: whichever. */
export interface BusiestQuery extends Pick<RequestHoursQuery, 'route' | 'kind' | 'environment'> {
  readonly project: ProjectId
  /** Hours since 1970; events from it on count. */
  readonly startHour: number
}

export interface FailingAction {
  readonly action: string
  readonly count: number
  readonly failed: number
}

export interface SessionsQuery {
  readonly projects: readonly ProjectId[]
  readonly startHour: number
  readonly endHour: number
  readonly environment: string | null
  readonly release: string | null
}
