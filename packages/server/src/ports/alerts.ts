/**
 * Alert rules: what people set, what became of it, and how they are evaluated. Counters are written with the batches that
 * they count, firings with their messages in one transaction: a batch that comes late or again fires a rule once.
 */
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import type { AlertRule, EmailMoment, QuietHours, RuleState } from '#model/alert-rule.ts'
import type { RequestKind } from '#model/event.ts'
import type { ReadScope } from './scope.ts'

/** Current state of a metric rule; issue rules are always `ok`. */
export interface StateNow {
  readonly level: RuleState
  readonly sinceMs: number
  /** Value of the last evaluation; `null` if there was too little traffic to tell. */
  readonly value: number | null
}

export interface AlertRuleView {
  readonly rule: AlertRule
  /** `null`: it was not evaluated yet. */
  readonly state: StateNow | null
  /** Since when it cannot be evaluated as it is stored; `null` while it can. */
  readonly failedMs: number | null
  /** Firings of the last 14 days by UTC day, oldest first: today is the last. */
  readonly firedByDay: readonly number[]
  readonly firedLastMs: number | null
}

/** `muted` and `storm`: nobody was told of this one by itself. */
export type Untold = 'muted' | 'storm'

export interface Firing {
  readonly id: number
  readonly ruleId: number
  readonly ruleName: string
  readonly projectId: ProjectId | null
  /** Short id; `null`: of a metric, or the issue is gone. */
  readonly issue: string | null
  readonly level: 'info' | 'warning' | 'critical'
  readonly startedMs: number
  /** `null` while it lasts. */
  readonly endedMs: number | null
  /** The worst value of a metric. */
  readonly extreme: number | null
  readonly headline: string
  readonly because: string
  readonly untold: Untold | null
}

export interface FiringsQuery {
  /** `null`: of all rules. */
  readonly ruleId: number | null
  readonly sinceMs: number
  readonly before: number | null
  readonly limit: number
}

/** A moment of an issue, for previews: from its record. */
export interface PastMoment {
  readonly issueId: IssueId
  readonly atMs: number
}

export interface FiringNow {
  readonly critical: number
  readonly warning: number
}

export interface AlertsRead {
  /**
   * Returns the organisation's rules in the order they were made, without rules whose projects are all
   * outside the scope.
   */
  alertRules(scope: ReadScope, nowMs: number): Promise<readonly AlertRuleView[]>
  alertRule(scope: ReadScope, id: number, nowMs: number): Promise<AlertRuleView | null>
  /** Newest first; those of projects outside the scope are left out. */
  firings(scope: ReadScope, query: FiringsQuery): Promise<readonly Firing[]>
  /** How many metric rules that the scope sees are away from normal now, and not muted. */
  firingNow(scope: ReadScope, nowMs: number): Promise<FiringNow>
  quietHours(scope: ReadScope): Promise<QuietHours>
  /** Returns the emails a person has switched off. */
  emailMomentsOff(user: UserId): Promise<readonly EmailMoment[]>
  /** Records of these kinds, oldest first, at most `alertPreviewMomentsMax`. */
  pastMoments(scope: ReadScope, query: PastMomentsQuery): Promise<readonly PastMoment[]>
  /** Events of each issue by hour, of issues that had at least so many in one of the hours. */
  issueHours(scope: ReadScope, query: IssueHoursQuery): Promise<readonly IssueHour[]>
}

export interface PastMomentsQuery {
  readonly projects: readonly ProjectId[] | null
  readonly kinds: readonly string[]
  readonly startMs: number
  readonly endMs: number
}

export interface IssueHoursQuery {
  readonly projects: readonly ProjectId[] | null
  /** Since 1970; the end is not in it. */
  readonly startHour: number
  readonly endHour: number
  readonly atLeast: number
}

export interface IssueHour {
  readonly issueId: IssueId
  readonly hour: number
  readonly count: number
}

export interface RequestHoursQuery {
  readonly projects: readonly ProjectId[] | null
  readonly route: string | null
  readonly kind: RequestKind | null
  readonly environment: string | null
  readonly startHour: number
  readonly endHour: number
}

/** Figures of an hour, or an hour's share of the day into which older figures were joined. */
export interface RequestHour {
  readonly hour: number
  readonly count: number
  readonly failed: number
  /** Durations as a sketch, written by `requests/sketch.ts`. */
  readonly sketch: Uint8Array
}

export interface Evaluated {
  /** Firings that began. */
  readonly fired: number
  /** Messages that were queued. */
  readonly messages: number
  /** Notices that preset rules queued, summaries among them. */
  readonly notices: number
  /** Issues that began to escalate. */
  readonly escalated: number
  /** More waits to be looked at. */
  readonly hasMore: boolean
  /** Metric rules after this one wait; `null`: all were evaluated, or none was asked for. */
  readonly metricsAfter: number | null
  /** Rules that cannot be evaluated as they are stored: they were passed over. */
  readonly failedRules: readonly number[]
}

/**
 * Candidates that a turn looks at. `presets`: those that no rule looked at yet, by rules of projects alone; others see them
 * later.
 */
export type WaitingLook = 'all' | 'presets' | 'none'

/** Somebody found an issue by a digest of it. */
export interface DigestLookedUp {
  readonly issueId: IssueId
  /** Hash of the person, or of what they are signed in with. */
  readonly person: bigint
}

/** The beat's side; used by `alerts/alert-loop.ts` alone. */
export interface AlertBeat {
  /**
   * Evaluates some of what waits in one transaction that ends soon, each organisation's first; with `metrics`,
   * metric rules too, or those after one, in another. `mail` false: there is no mail server.
   */
  evaluateDue(
    nowMs: number,
    look: {
      /** `all` by default. */
      readonly waiting?: WaitingLook
      readonly metrics: boolean | number
      readonly mail: boolean
    },
  ): Promise<Evaluated>
  /** Counted for projects of rules that ask for it. */
  noteLookUps(lookUps: readonly DigestLookedUp[], nowMs: number): Promise<void>
}
