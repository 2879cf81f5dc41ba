/** Builds messages of firings: one per receiver. */
import { MINUTE_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertLevel, AlertMessage, AlertMoment } from '#model/alert-message.ts'
import { type AlertRule, isMuted, type RuleReceiver } from '#model/alert-rule.ts'
import type { NewMessage, Occasion } from '#ports/messages.ts'
import type { AlertStore, NamedProject } from './alert-store.ts'
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

/** Queues one message for each of the receivers; answers how many. A muted rule tells nobody. */
export function tell(
  store: AlertStore,
  rule: AlertRule,
  told: Told & { readonly to?: (receiver: RuleReceiver) => boolean },
): number {
  if (isMuted(rule, told.nowMs)) return 0
  const messages = messagesOf(store, rule, told)
  store.queueMessages(messages, told.nowMs)
  return messages.length
}

export function messagesOf(
  store: Pick<AlertStore, 'organisation' | 'quietHours'>,
  rule: AlertRule,
  { to = () => true, ...told }: Told & { readonly to?: (receiver: RuleReceiver) => boolean },
): readonly NewMessage[] {
  const message = messageOf(store, rule, told)
  const { moment, level } = message
  const heldUntilMs = isHeld(rule, { moment, level, endsCritical: told.endsCritical === true })
    ? quietUntil(store.quietHours(rule.orgId), told.nowMs)
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
  store: Pick<AlertStore, 'organisation'>,
  { id, name, orgId }: Pick<AlertRule, 'id' | 'name' | 'orgId'>,
  { project, nowMs, message }: Told,
): AlertMessage {
  const { slug, name: called } = store.organisation(orgId)
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
export function onlyProject(
  store: Pick<AlertStore, 'project'>,
  { projects }: Pick<AlertRule, 'projects'>,
): NamedProject | null {
  const [only, ...others] = projects ?? []
  return only === undefined || others.length > 0 ? null : store.project(only)
}

/** At most once per issue and period. */
export function isTooSoon({ everyMinutes }: AlertRule, lastMs: number | null, nowMs: number): boolean {
  if (lastMs === null) return false
  return everyMinutes === 0 || nowMs - lastMs < everyMinutes * MINUTE_MS
}

export function stormHeadlines(headlines: readonly string[]): AlertMessage['gathered'] {
  return { headlines: headlines.slice(0, max('alertGatheredMax')), total: headlines.length }
}
