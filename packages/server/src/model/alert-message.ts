/**
 * Content of an alert before any service's format: one shape for email, chat, phones, pagers and webhooks.
 * Channels render it (`notices/channels/`), the log keeps it. Texts from events are hostile: scrubbed,
 * bounded, and escaped by whoever renders them.
 */
import type { Digest, EventId } from '#base/ids.ts'
import type { Level, RequestKind } from './event.ts'

/** `info` is what issue rules send; a metric rule has the other three. `ok`: it is over. */
export const ALERT_LEVELS = ['info', 'warning', 'critical', 'ok'] as const
export type AlertLevel = (typeof ALERT_LEVELS)[number]

/**
 * `fired`: the state began; `still`: it goes on after the rule's period; `resolved`: a metric is back to normal, or
 * somebody resolved the issue; `storm`: many firings as one; `held`: what quiet hours held back, as one;
 * `sent`: a person sent the issue.
 */
export type AlertMoment = 'fired' | 'still' | 'resolved' | 'storm' | 'held' | 'sent' | 'test'

export interface AlertIssue {
  readonly shortId: string
  readonly title: string
  /** Function, where known. */
  readonly function: string | null
  /** File and line, as the event says them. */
  readonly place: string | null
  readonly culprit: string
  readonly level: Level
  /** Most frequent first. */
  readonly kinds: readonly RequestKind[]
  readonly route: string | null
  readonly environment: string | null
  /** Release of the event that fired the rule. */
  readonly release: string | null
  readonly firstRelease: string | null
  readonly digest: Digest | null
  readonly eventId: EventId | null
  readonly traceId: string | null
  readonly eventCount: number
  readonly userCount: number
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly assignee: string | null
  /** Suspect commit, such as `c41f9e2 by Rosa Kim`. */
  readonly suspect: string | null
}

export interface AlertMetric {
  /** Name of the measure, such as `failure rate of /checkout action`. */
  readonly name: string
  /** Value for people, such as `15.0 %`. */
  readonly value: string
  /** Condition, such as `over 10 % for 5 min`. */
  readonly condition: string
  /** Counts behind the value, such as `842 of 5,611 requests failed`; `null` if the value says it all. */
  readonly detail: string | null
  /** The issue that most of the failures belong to. */
  readonly mostly: { readonly shortId: string; readonly title: string } | null
  /** Action that failed most, for a rule about actions, such as `placeOrder, 11 of 16 failed`. */
  readonly action?: string
}

export interface AlertMessage {
  readonly atMs: number
  readonly moment: AlertMoment
  readonly level: AlertLevel
  /** Slug, for links; and name. */
  readonly organisation: { readonly slug: string; readonly name: string }
  /** `null`: of several projects. */
  readonly project: { readonly slug: string; readonly name: string } | null
  /** `null`: a test of a channel by itself. */
  readonly rule: { readonly id: number; readonly name: string } | null
  /**
   * Headline, one line without the project: `Regressed: TypeError in OrderTotals`, `Checkout action fails:
   * 15.0 %, critical`.
   */
  readonly headline: string
  /** Why it was sent, in words: `a resolved issue came back`, `25 users within 1 h`. */
  readonly because: string
  readonly issue: AlertIssue | null
  readonly metric: AlertMetric | null
  /** Headlines of a storm or of held messages, at most `alertGatheredMax`, and their number in all. */
  readonly gathered: { readonly headlines: readonly string[]; readonly total: number } | null
  /**
   * Messages of one story share it: an issue's, or one stay of a metric away from normal. Threads, pagers and receivers
   * that replace what they showed before go by it. At most 64 letters, digits and hyphens.
   */
  readonly story: string
}

/** Returns what failed and where, in one line. */
export function failureLine({
  title,
  function: name,
  place,
  culprit,
}: Pick<AlertIssue, 'title' | 'function' | 'place' | 'culprit'>): string {
  const where = name ?? place ?? culprit
  return where === '' ? title : `${title} in ${where}`
}
