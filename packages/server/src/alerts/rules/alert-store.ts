/** Store of rule evaluation: one transaction, asked by sets. Implementations return plain rows and decide nothing. */
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import type { AlertIssue, AlertMessage } from '#model/alert-message.ts'
import type { AlertRule, QuietHours, RuleState } from '#model/alert-rule.ts'
import type { Level } from '#model/event.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { Priority } from '#model/priority.ts'
import type { PastTime } from '#notices/rules/past-time.ts'
import type { ToldKind } from '#notices/rules/preset-rules.ts'
import type { NoticeChange } from '#notices/rules/queueing.ts'
import type { Firing, RequestHour, RequestHoursQuery, Untold } from '#ports/alerts.ts'
import type { SessionCounts } from '#ports/health.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import type { IssueStatus, IssueSubstatus } from '#ports/issues.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { HeldBack, NoticeRest, NoticeSettings } from '#ports/notices.ts'
import type { SlotRange, SlotRow } from './slots.ts'
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
  /** `null` for one that no rule looked at yet. */
  readonly progress: CandidateProgress | null
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
  readonly eventCount: number
  /** So many of them are the browser's halves of server failures. */
  readonly mirrorCount: number
}

export interface NamedProject {
  readonly id: ProjectId
  readonly slug: string
  readonly name: string
}

export interface OrgProject extends NamedProject {
  readonly orgId: OrgId
}

/** An organisation whose rules tell something. */
export interface TellingOrg {
  readonly id: OrgId
  readonly slug: string
  readonly name: string
  readonly quietHours: QuietHours
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

export type FiringChange = { readonly id: number } & Partial<Pick<NewFiring, 'level' | 'endedMs' | 'extreme'>>

/** Firings of an issue rule after a time. */
export interface FiredAfter {
  /** How many were told by themselves. */
  readonly told: number
  /** Headlines of firings that wait for the end of a storm. */
  readonly headlines: readonly string[]
  /** Newest issue among these. */
  readonly last: { readonly issueId: IssueId; readonly projectId: ProjectId } | null
}

export interface OutcomesAsked {
  readonly projects: readonly ProjectId[]
  readonly outcomes: readonly OutcomeName[]
  /** `null`: of every category. */
  readonly category: string | null
  readonly startMs: number
  readonly endMs: number
}

export interface AcceptedAsked {
  readonly project: ProjectId
  readonly sinceMs: number
}

export interface IssueHoursAsked {
  readonly issueId: IssueId
  /** Hours since 1970. */
  readonly first: number
}

export type RequestHoursAsked = RequestHoursQuery & { readonly projects: readonly ProjectId[] }

/** `people` and `crashedPeople`: distinct ones. */
export type SessionFigures = SessionCounts & { readonly people: number; readonly crashedPeople: number }

/**
 * Reads and writes of a transaction of evaluating rules, by sets: each call is one, however much is asked. Answers come in
 * the order of what was asked.
 */
export interface AlertStore extends PresetStore {
  /** All that are on. */
  rulesOn(): Promise<readonly AlertRule[]>
  /** Oldest first, organisations by turns; of issues that wait for a server's half none, until they stand alone. */
  candidates(limit: number): Promise<readonly Candidate[]>
  /** Likewise, those of them that preset rules are to look at. */
  candidatesForPresets(limit: number): Promise<readonly Candidate[]>
  facts(candidates: readonly number[]): Promise<ReadonlyMap<number, SeenFacts>>
  /** Issues that are there still. */
  issues(ids: readonly IssueId[]): Promise<ReadonlyMap<IssueId, WatchedIssue>>
  /** Returns issues as messages show them: far more to read, and few of those looked at fire anything. */
  told(ids: readonly IssueId[]): Promise<ReadonlyMap<IssueId, AlertIssue>>
  projects(ids: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, OrgProject>>
  /** All of these organisations, by their ids. */
  projectsOf(orgs: readonly OrgId[]): Promise<readonly OrgProject[]>
  organisations(ids: readonly OrgId[]): Promise<ReadonlyMap<OrgId, TellingOrg>>
  /** How many members each has. */
  memberCounts(ids: readonly OrgId[]): Promise<ReadonlyMap<OrgId, number>>
  /** The newest version of each that has any. */
  latestReleases(projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, string>>
  /** Events by hour since 1970, from `first` on. */
  issueHours(asked: readonly IssueHoursAsked[]): Promise<readonly ReadonlyMap<number, number>[]>
  slots(asked: readonly SlotRange[]): Promise<readonly (readonly SlotRow[])[]>
  outcomes(asked: readonly OutcomesAsked[]): Promise<readonly number[]>
  /** When the newest event or span was accepted, of those after `sinceMs`. */
  lastAccepted(asked: readonly AcceptedAsked[]): Promise<readonly (number | null)[]>
  requestHours(asked: readonly RequestHoursAsked[]): Promise<readonly (readonly RequestHour[])[]>
  sessions(asked: readonly SessionsQuery[]): Promise<readonly SessionFigures[]>
  /** The issue with the most events; of issues that wait for a server's half none. */
  busiestIssues(asked: readonly BusiestQuery[]): Promise<readonly (IssueId | null)[]>
  /** The action that failed most, of those that have a name; `null`: none failed. */
  failingActions(asked: readonly Omit<BusiestQuery, 'kind'>[]): Promise<readonly (FailingAction | null)[]>
  states(rules: readonly number[]): Promise<ReadonlyMap<number, RuleStateRow>>
  /** When the rule fired for the issue last. */
  lastFired(
    asked: readonly { readonly rule: number; readonly issue: IssueId }[],
  ): Promise<readonly (number | null)[]>
  /** Firings of an issue rule after a time. */
  firedAfter(
    asked: readonly { readonly rule: number; readonly afterMs: number }[],
  ): Promise<readonly FiredAfter[]>
  /** The worst that each was; of those that are there still. */
  firingLevels(ids: readonly number[]): Promise<ReadonlyMap<number, NewFiring['level']>>
  /** Returns what pagers were told last about each issue, unless that it is over; one per channel and story. */
  openIncidents(issues: readonly IssueId[]): Promise<readonly (readonly OpenIncident[])[]>
  /** Writes changes and what follows from them. */
  changeIssues(changes: readonly IssueChanged[]): Promise<void>
  /** Answers their ids. */
  addFirings(firings: readonly NewFiring[]): Promise<readonly number[]>
  changeFirings(changes: readonly FiringChange[]): Promise<void>
  /** Saves the states of rules that were evaluated. */
  putStates(states: readonly (RuleStateRow & { readonly ruleId: number })[]): Promise<void>
  /** Rules that could not be evaluated, for whoever looks at them. */
  noteFailures(rules: readonly number[], nowMs: number): Promise<void>
  /** Takes back what is noted of rules that can be evaluated by now. */
  forgetFailures(sound: readonly number[]): Promise<void>
  queueMessages(messages: readonly NewMessage[], nowMs: number): Promise<void>
  removeCandidates(ids: readonly number[]): Promise<void>
  /** Forgotten once more came to it meanwhile: all rules look again. */
  keepProgress(id: number, progress: CandidateProgress): Promise<void>
}

/** Questions and writes of projects' preset rules, by sets as well. */
export interface PresetStore {
  /** Settings of those projects that have some of their own. */
  noticeSettings(projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, NoticeSettings>>
  /** How issues came back last, as their records say. */
  returnKinds(issues: readonly IssueId[]): Promise<ReadonlyMap<IssueId, ReturnKind>>
  /** The newest notice of each issue within a time that was not dropped. */
  newestTold(asked: readonly (PastTime & { readonly issue: IssueId })[]): Promise<readonly (number | null)[]>
  /** How many notices of changes each project had within a time. */
  noticesWithin(asked: readonly NoticesAsked[]): Promise<readonly number[]>
  /** The newest summary of each project that began within a time; `dueMs` is `null` once it is opened. */
  newestSummaries(asked: readonly NoticesAsked[]): Promise<readonly (SummaryBefore | null)[]>
  addNotices(changes: readonly NoticeChange[], nowMs: number): Promise<void>
  addToSummaries(added: readonly { readonly id: number; readonly rest: NoticeRest }[]): Promise<void>
  beginSummaries(begun: readonly NewSummary[], nowMs: number): Promise<void>
  /** Another change of the issue that each tells of came within its quiet hours. */
  noteHeldBack(notices: readonly number[]): Promise<void>
  countHeld(held: readonly HeldOfProject[], nowMs: number): Promise<void>
  /** Opens notices that are due, the oldest first. */
  openNotices(open: { readonly nowMs: number; readonly limit: number }): Promise<OpenedNotices>
}

/** How many notices were opened, and how many deliveries that made. */
export interface OpenedNotices {
  readonly notices: number
  readonly deliveries: number
}

export type ReturnKind = Extract<ToldKind, 'regressed' | 'unarchived'>

export type NoticesAsked = PastTime & { readonly project: ProjectId }

export interface SummaryBefore {
  readonly id: number
  readonly atMs: number
  readonly dueMs: number | null
}

export interface NewSummary {
  readonly project: ProjectId
  readonly rest: NoticeRest
  readonly dueMs: number
}

/** Changes of one reason that were not told one by one. */
export interface HeldOfProject {
  readonly project: ProjectId
  readonly reason: keyof HeldBack
  readonly count: number
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
