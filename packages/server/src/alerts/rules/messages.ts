/** Builds messages of firings: one per receiver. */
import { MINUTE_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import {
  type AlertIssue,
  type AlertLevel,
  type AlertMessage,
  type AlertMoment,
  failureLine,
} from '#model/alert-message.ts'
import { type AlertRule, isMuted, type RuleReceiver } from '#model/alert-rule.ts'
import type { NewMessage, Occasion } from '#ports/messages.ts'
import type { NamedProject, TellingOrg } from './alert-store.ts'
import { quietUntil } from './quiet-hours.ts'

interface Told {
  readonly issueId?: IssueId
  readonly occasion?: Occasion
  readonly firingId: number | null
  readonly project: NamedProject | null
  readonly nowMs: number
  /** It is the end of what went out at night: that goes out as well. */
  readonly endsCritical?: boolean
  readonly message: Pick<AlertMessage, 'moment' | 'level' | 'headline' | 'because' | 'story'> &
    Partial<Pick<AlertMessage, 'issue' | 'metric' | 'gathered'>>
}

interface TellingTo extends Told {
  readonly to?: (receiver: RuleReceiver) => boolean
}

/** Returns one message for each of the receivers. A muted rule tells nobody. */
export function tell(rule: AlertRule, org: TellingOrg, told: TellingTo): readonly NewMessage[] {
  return isMuted(rule, told.nowMs) ? [] : messagesOf(rule, org, told)
}

export function messagesOf(
  rule: AlertRule,
  org: TellingOrg,
  { to = () => true, ...told }: TellingTo,
): readonly NewMessage[] {
  const message = messageOf(rule, org, told)
  const { moment, level } = message
  const heldUntilMs = isHeld(rule, { moment, level, endsCritical: told.endsCritical === true })
    ? quietUntil(org.quietHours, told.nowMs)
    : null
  return rule.notify.filter(to).map(({ target }) => ({
    ...{ orgId: rule.orgId, firingId: told.firingId, projectId: told.project?.id ?? null },
    projects: told.project === null ? rule.projects : null,
    ...{ issueId: told.issueId ?? null, occasion: told.occasion ?? null, target, message, heldUntilMs },
  }))
}

function isHeld(
  { isQuiet }: AlertRule,
  {
    moment,
    level,
    endsCritical,
  }: { readonly moment: AlertMoment; readonly level: AlertLevel; readonly endsCritical: boolean },
): boolean {
  return isQuiet && level !== 'critical' && !endsCritical && moment !== 'test'
}

export function messageOf(
  { id, name }: Pick<AlertRule, 'id' | 'name'>,
  { slug, name: called }: Pick<TellingOrg, 'slug' | 'name'>,
  { project, nowMs, message }: Told,
): AlertMessage {
  return {
    ...{ issue: null, metric: null, gathered: null, ...message },
    atMs: nowMs,
    organisation: { slug, name: called },
    project: project === null ? null : { slug: project.slug, name: project.name },
    rule: { id, name },
  }
}

/**
 * Returns the project of a rule about a single one: viewers who may not read it see nothing of the message.
 */
export function onlyProject({ projects }: Pick<AlertRule, 'projects'>): ProjectId | null {
  const [only, ...others] = projects ?? []
  return only === undefined || others.length > 0 ? null : only
}

/** At most once per issue and period. */
export function isTooSoon({ everyMinutes }: AlertRule, lastMs: number | null, nowMs: number): boolean {
  if (lastMs === null) return false
  return everyMinutes === 0 || nowMs - lastMs < everyMinutes * MINUTE_MS
}

export function resolvedHeadline(told: AlertIssue): string {
  return `Resolved: ${failureLine(told)}`.slice(0, HEADLINE_CHARS_MAX)
}

const HEADLINE_CHARS_MAX = 200

export function stormHeadlines(headlines: readonly string[]): AlertMessage['gathered'] {
  return { headlines: headlines.slice(0, max('alertGatheredMax')), total: headlines.length }
}
