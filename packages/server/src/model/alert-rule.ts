/** Alert rules: when they fire, whom they notify and how often. One shape for store, API and editor. */
import type { OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import type { Level, RequestKind } from './event.ts'
import type { OutcomeName } from './outcome.ts'
import type { Priority } from './priority.ts'

/** Receiver of a rule. */
export type AlertTarget =
  | { readonly to: 'channel'; readonly channelId: number }
  /** By email, each who may read the project and has email alerts on: asked when it fires, and again at each try. */
  | { readonly to: 'assignee' }
  | { readonly to: 'members' }
  /** The assignee and whom ownership rules name; nobody of them: whoever `otherwise` says. */
  | { readonly to: 'owners'; readonly otherwise: OwnersOtherwise }
  | { readonly to: 'user'; readonly userId: UserId }
  | { readonly to: 'team'; readonly teamId: TeamId }

/** `active`: members who used Errata lately. */
export const OWNERS_OTHERWISE = ['members', 'active', 'nobody'] as const
export type OwnersOtherwise = (typeof OWNERS_OTHERWISE)[number]

/** How a tag is compared, in any case. An event without it `is not`, and does not contain, begin or end with anything. */
export const TAG_COMPARISONS = [
  'is',
  'is not',
  'contains',
  'does not contain',
  'starts with',
  'does not start with',
  'ends with',
  'does not end with',
  'is set',
  'is not set',
] as const
export type TagComparison = (typeof TAG_COMPARISONS)[number]

export const COUNTED = ['events', 'users'] as const
export const ACTIVITY_MOMENTS = ['comment', 'assignment'] as const

/** A moment in the life of an issue; of several any fires the rule, unless it wants all. */
export type IssueWhen =
  | { readonly on: 'new' | 'regressed' | 'escalating' | 'resolved' }
  | FrequencyWhen
  | IncreaseWhen
  /** So many people looked one of its digests up. */
  | { readonly on: 'digest'; readonly atLeast: number; readonly withinMinutes: number }
  | { readonly on: 'activity'; readonly what: readonly (typeof ACTIVITY_MOMENTS)[number][] }

/** So many events or users of one issue within a window. */
export interface FrequencyWhen {
  readonly on: 'frequency'
  readonly of: (typeof COUNTED)[number]
  readonly atLeast: number
  readonly withinMinutes: number
}

/** So many times more than in the window before, and at least so many. */
export interface IncreaseWhen {
  readonly on: 'increase'
  readonly of: (typeof COUNTED)[number]
  readonly times: number
  readonly atLeast: number
  readonly withinMinutes: number
}

/** Condition that must hold as well. `latest` as a release is the latest of the event's project. */
export type RuleCondition =
  | { readonly is: 'level'; readonly how: 'at least' | 'exactly' | 'at most'; readonly level: Level }
  | { readonly is: 'priority'; readonly how: 'at least' | 'exactly' | 'at most'; readonly priority: Priority }
  | { readonly is: 'environment'; readonly value: string }
  | { readonly is: 'release'; readonly value: string }
  /** Text in title or culprit, ignoring case. */
  | { readonly is: 'text'; readonly value: string }
  | {
      readonly is: 'tag'
      readonly key: string
      readonly how: TagComparison
      /** `''` where it is only asked whether there is one. */
      readonly value: string
    }
  | { readonly is: 'kind'; readonly value: RequestKind }
  | { readonly is: 'handled'; readonly value: boolean }
  | { readonly is: 'age'; readonly than: 'older' | 'newer'; readonly minutes: number }
  /** `null`: nobody. */
  | { readonly is: 'assignee'; readonly userId: UserId | null }

export const MATCHES = ['all', 'any', 'none'] as const

export interface RuleIf {
  readonly match: (typeof MATCHES)[number]
  readonly conditions: readonly RuleCondition[]
}

/** Requests that a figure is about; `null` for any. */
interface OfRequests {
  readonly route: string | null
  readonly kind: RequestKind | null
}

export const PERCENTILES = [50, 75, 95, 99] as const

/**
 * Measure of a metric rule. Shares are percents, durations milliseconds, apdex is 0 to 1, silence is minutes.
 */
export type Measure =
  | { readonly of: 'events' | 'users' | 'silence' }
  | ({ readonly of: 'requests' | 'failure-rate' } & OfRequests)
  | ({ readonly of: 'apdex'; readonly thresholdMs: number } & OfRequests)
  | ({ readonly of: 'duration'; readonly percentile: (typeof PERCENTILES)[number] } & OfRequests)
  | { readonly of: 'crash-free'; readonly what: 'sessions' | 'users' }
  /** Items that were not stored, of these outcomes. */
  | { readonly of: 'outcomes'; readonly outcomes: readonly OutcomeName[] }
export type RequestMeasure = Extract<Measure, OfRequests>

export interface MetricWhen {
  readonly measure: Measure
  readonly windowMinutes: number
  readonly direction: 'above' | 'below'
  /** At least one of the two. */
  readonly critical: number | null
  readonly warning: number | null
  /** From where on it is over; `null`: the lower of the two. */
  readonly resolved: number | null
  /** Below so many events, requests or sessions in the window nothing is concluded. */
  readonly atLeast: number
  /** Only if it is also so many times what it was in the same hour last week; `null`: whatever it was. */
  readonly timesLastWeek: number | null
}

export const WINDOWS_MINUTES = [5, 10, 15, 30, 60, 120, 240, 720, 1_440] as const
/** Figures that are kept by the hour, or by 15 minutes, have no shorter window. */
export function shortestWindow({ of }: Measure): number {
  if (of === 'crash-free') return 60
  return of === 'outcomes' ? 15 : 5
}

export type RuleState = 'ok' | 'warning' | 'critical'
export type ToldLevel = 'warning' | 'critical'

export interface RuleReceiver {
  readonly target: AlertTarget
  /** Least level of a metric rule that this receiver is told; issue rules have no levels. */
  readonly fromLevel: ToldLevel
}

export interface RuleMute {
  /** `null`: for ever. */
  readonly untilMs: number | null
  readonly by: string
}

/** Owner of a rule, as Sentry writes it. They are not told because of it. */
export type RuleOwner = `team:${number}` | `user:${number}`

interface RuleBase {
  readonly name: string
  readonly isOn: boolean
  /** `null`: all of the organisation. */
  readonly projects: readonly ProjectId[] | null
  readonly if: RuleIf
  readonly notify: readonly RuleReceiver[]
  /** At most once per issue and so many minutes; of a metric: again after so many while it lasts. 0: never again. */
  readonly everyMinutes: number
  /** Whether the organisation's quiet hours hold its messages back; critical ones are never held. */
  readonly isQuiet: boolean
  /** Left out, a change keeps whom the rule had. */
  readonly owner?: RuleOwner | null | undefined
}

export type RuleWhen =
  | {
      readonly kind: 'issue'
      readonly when: readonly IssueWhen[]
      /** Whether all moments must be met at once; any of them where it is left out. */
      readonly whenMatch?: 'any' | 'all' | undefined
    }
  | { readonly kind: 'metric'; readonly when: MetricWhen }

/** Settings of a rule that people choose. */
export type RuleDraft = RuleBase & RuleWhen

export type AlertRule = RuleDraft & {
  readonly id: number
  readonly orgId: OrgId
  readonly isPreset: boolean
  readonly createdBy: string
  /** `null`: a preset, or a token made it. */
  readonly createdById: UserId | null
  readonly createdMs: number
  readonly changedBy: string
  readonly changedMs: number
  /** `null` where it is not muted. */
  readonly mute: RuleMute | null
}
export type IssueRule = Extract<AlertRule, { readonly kind: 'issue' }>
export type MetricRule = Extract<AlertRule, { readonly kind: 'metric' }>

export function isMuted({ mute }: Pick<AlertRule, 'mute'>, nowMs: number): boolean {
  return mute !== null && (mute.untilMs === null || mute.untilMs > nowMs)
}

/** Whether the rule looks at the project. */
export function concerns({ projects }: Pick<AlertRule, 'projects'>, project: ProjectId): boolean {
  return projects === null || projects.includes(project)
}

/** When nobody is disturbed. */
export interface QuietHours {
  readonly isOn: boolean
  /** Minutes of the day; from 1320 until 420 passes midnight. */
  readonly fromMinute: number
  readonly untilMinute: number
  /** IANA name, such as `Europe/Zurich`. */
  readonly timeZone: string
  /** Saturday and Sunday are quiet all day. */
  readonly weekends: boolean
}

export const QUIET_HOURS_DEFAULT: QuietHours = {
  isOn: false,
  fromMinute: 22 * 60,
  untilMinute: 7 * 60,
  timeZone: 'UTC',
  weekends: false,
}

/** Moments that a person can have emailed. */
export const EMAIL_MOMENTS = ['issue', 'warning', 'critical', 'resolved'] as const
export type EmailMoment = (typeof EMAIL_MOMENTS)[number]
