/** Messages of alerts: when each goes out, which are told as one, and what is said when one cannot be sent. */
import { DAY_MS } from '#base/durations.ts'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type AlertMessage, failureLine } from '#model/alert-message.ts'
import type { AlertTarget } from '#model/alert-rule.ts'
import { ONE_FOR_ALL } from '#model/alert-words.ts'
import type { ChannelKind } from '#ports/channels.ts'
import type { MessageTry } from '#ports/messages.ts'

/** Machines take each firing by itself: a page, a script. */
const NEVER_GATHERED: ReadonlySet<ChannelKind> = new Set(['pagerduty', 'opsgenie', 'webhook'])
/** Services that keep an incident open until they are told that it is over. */
export const INCIDENT_KINDS: readonly ChannelKind[] = ['pagerduty', 'opsgenie']
/** Kinds of channels that wake somebody. */
const PAGERS: ReadonlySet<ChannelKind> = new Set(['pagerduty', 'opsgenie', 'pushover', 'ntfy', 'gotify'])
const TRIES_KEPT = 12

/** True for channels whose calls go before those of others. */
export function isPager(kind: ChannelKind): boolean {
  return PAGERS.has(kind)
}

/** The receiver of a message as `Waiting` names it. All mail goes by the organisation: it has one server. */
export function receiverKey(message: {
  readonly kind: ChannelKind
  readonly orgId: OrgId
  readonly channelId: number | null
}): string {
  return message.kind === 'email' ? `mail:${message.orgId}` : `channel:${message.channelId}`
}

/** `null`: any. */
export function readReceiverKey(key: string | null): {
  readonly column: 'channel' | 'mail' | 'any'
  readonly id: number | null
} {
  if (key === null) return { column: 'any', id: null }
  const [sort, id] = key.split(':')
  return { column: sort === 'mail' ? 'mail' : 'channel', id: Number(id) }
}

/** Claims without receivers: as many as there may be, of any. */
export function anyOf(limit: number): readonly null[] {
  return Array.from({ length: limit }, () => null)
}

export const CHANNEL_DELETED = 'The channel was deleted.'

/** Returns the sentence that says why a target brings no message. */
export function whyNobody(target: AlertTarget): string {
  switch (target.to) {
    case 'assignee':
      return 'The assignee can’t be emailed, or there is none.'
    case 'owners':
      return 'No code owner of the issue can be emailed.'
    case 'members':
      return 'No member of the project has email alerts on.'
    case 'team':
      return 'No member of the team has both access to the project and email alerts on.'
    case 'user':
      return 'This person has no access to the project, or has email alerts off.'
    case 'channel':
      return CHANNEL_DELETED
  }
}

/** Why a message is not queued at all; `isHeld`: it would have waited for the end of quiet hours. */
export function tooManyWait(kind: ChannelKind, isHeld: boolean): string {
  const most = max(isHeld ? 'alertMessagesHeldMax' : 'alertMessagesWaitingMax').toLocaleString('en')
  const what = kind === 'email' ? `${most} emails of the organisation’s alerts` : `${most} messages`
  if (isHeld && kind === 'email') return `Not sent: ${what} already wait for the end of quiet hours.`
  if (isHeld) return `Not sent: ${what} to this channel already wait for the end of quiet hours.`
  return `Not sent: ${what} already wait for ${kind === 'email' ? 'the mail server' : 'this channel'}.`
}

export const RECEIVER_GONE =
  'The recipient lost access to the project, muted the issue or turned email alerts off.'

export const TOLD_IN_ANOTHER = 'Sent in another message.'
export const HELD_FOR_PERSON = 'Sent in one email after the recipient’s quiet hours.'

/** True if the quiet hours of people hold the message: critical always notifies, and for a test somebody waits. */
export function isHeldForPeople({ level, moment }: Pick<AlertMessage, 'level' | 'moment'>): boolean {
  return level !== 'critical' && moment !== 'test'
}

/** Events that came within so long of each other are one occasion, whenever they are told. */
const SAME_OCCASION_MS = 5_000

/** Returns the time from which messages tell of the same occasion. */
export function sinceOccasion(atMs: number): number {
  return atMs - SAME_OCCASION_MS
}

/** Returns the time within which events are of the same occasion, both ends included. */
export function sameOccasion(atMs: number): { readonly since: number; readonly until: number } {
  return { since: sinceOccasion(atMs), until: atMs + SAME_OCCASION_MS }
}

/** True if messages are gathered; a test, or what a person sends, waits for nobody. */
export function isGathered({ kind, moment }: Gathering): boolean {
  return moment !== 'test' && moment !== 'sent' && !NEVER_GATHERED.has(kind)
}

interface Gathering extends Pick<AlertMessage, 'moment'> {
  readonly kind: ChannelKind
}

/**
 * The first to a receiver goes at once, those that follow within the minute at its end; a test, for which somebody waits, at
 * once. `lastMs`: when the newest that was neither held back nor a test was queued for the receiver, `null` without one.
 */
export function dueMsOf(
  { heldUntilMs, ...message }: Gathering & { readonly heldUntilMs: number | null },
  { nowMs, lastMs }: { readonly nowMs: number; readonly lastMs: number | null },
): number {
  if (heldUntilMs !== null) return heldUntilMs
  if (lastMs === null || !isGathered(message) || nowMs - lastMs >= max('alertGatherMs')) return nowMs
  return lastMs + max('alertGatherMs')
}

/** Members who were here since are active. */
export function activeSince(nowMs: number): number {
  return nowMs - max('alertActiveDays') * DAY_MS
}

/** Several as one; one alone as it is. Oldest first. */
export function asOne(messages: readonly AlertMessage[], wasHeld: boolean): AlertMessage {
  const [first] = messages
  if (first === undefined) throw new Error('there is nothing to send')
  if (messages.length === 1) return first
  const headlines = messages.flatMap(({ headline, gathered }) => gathered?.headlines ?? [headline])
  const total = messages.reduce((sum, { gathered }) => sum + (gathered?.total ?? 1), 0)
  const isOneProject = messages.every(({ project }) => project?.slug === first.project?.slug)
  return {
    ...first,
    moment: wasHeld ? 'held' : 'storm',
    level: worstOf(messages),
    project: isOneProject ? first.project : null,
    rule: messages.every(({ rule }) => rule?.id === first.rule?.id) ? first.rule : null,
    headline: wasHeld ? `${total} alerts during quiet hours` : `${total} alerts within a minute`,
    because: wasHeld ? 'held during quiet hours' : ONE_FOR_ALL,
    issue: null,
    metric: null,
    gathered: { headlines: headlines.slice(0, max('alertGatheredMax')), total },
    story: `gathered-${first.atMs}-${total}`,
  }
}

function worstOf(messages: readonly AlertMessage[]): AlertMessage['level'] {
  const levels = new Set(messages.map(({ level }) => level))
  return (['critical', 'warning', 'info', 'ok'] as const).find((level) => levels.has(level)) ?? 'info'
}

/** The newest are kept. */
export function withTry(tried: readonly MessageTry[], one: MessageTry): readonly MessageTry[] {
  return [...tried, { ...one, says: one.says.slice(0, max('noticeSaysCharsMax')) }].slice(-TRIES_KEPT)
}

export function oldestMessageMs(nowMs: number): number {
  return nowMs - max('alertMessageDays') * DAY_MS
}

const HEADLINE_CHARS_MAX = 200

/** Returns the line of a message that a person sent: the failure and where it happened. */
export function sentHeadline(issue: Parameters<typeof failureLine>[0]): string {
  return failureLine(issue).slice(0, HEADLINE_CHARS_MAX)
}
