/** Reads channels for people, and the alerts sent there. */
import type { PersonViewer } from '#access/viewer.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import {
  CHANNEL_KINDS,
  type Channel,
  type ChannelKind,
  type ChannelsRead,
  type SlackLink,
} from '#ports/channels.ts'
import type {
  DeliveryCounts,
  DeliveryLog,
  DeliveryLogQuery,
  MessageLogEntry,
  MessageState,
  MessagesRead,
} from '#ports/messages.ts'
import type { ReadScope } from '#ports/scope.ts'

/** Log parameters as in an address; unknown values narrow nothing. */
export interface MessageLogParams {
  readonly rule?: string | null | undefined
  readonly kind?: string | null | undefined
  readonly channel?: string | null | undefined
  /** `delivered`, `failed`, `waiting`. */
  readonly state?: string | null | undefined
  readonly days?: string | null | undefined
  readonly text?: string | null | undefined
  readonly before?: string | null | undefined
  /** A page of the screen, or as many as a file holds. */
  readonly rows?: 'page' | 'file'
}

interface ChannelQueries {
  channels(scope: ReadScope): Promise<readonly Channel[]>
  channel(scope: ReadScope, id: number): Promise<Channel | null>
  /** Returns a person's Slack identities in organisations that the session opens. */
  slackLinks(viewer: PersonViewer): Promise<readonly ShownSlackLink[]>
  /** Whatever was sent of alerts; `rule` may be `rules` or `projects` for one sort alone. */
  deliveryLog(scope: ReadScope, params: MessageLogParams): Promise<DeliveryLog>
  /** Numbers of the log in its usual time, for messages of rules and for own alerts of projects. */
  deliveryCounts(
    scope: ReadScope,
  ): Promise<{ readonly rules: DeliveryCounts; readonly projects: DeliveryCounts }>
  messageSent(
    scope: ReadScope,
    id: number,
  ): Promise<{ readonly entry: MessageLogEntry; readonly message: AlertMessage } | null>
}

interface ShownSlackLink extends Pick<SlackLink, 'id' | 'slackName' | 'linkedMs'> {
  readonly organisation: string
}

/** By a word that people type. */
const LOG_STATES: ReadonlyMap<string, readonly MessageState[]> = new Map([
  ['delivered', ['sent']],
  ['failed', ['failed']],
  ['waiting', ['waiting', 'sending']],
  ['gathered', ['gathered']],
  ['cancelled', ['cancelled']],
])
const LOG_DAYS = 14

export function channelQueries({
  channels,
  messages,
  clock,
}: {
  readonly channels: ChannelsRead
  readonly messages: MessagesRead
  readonly clock: Clock
}): ChannelQueries {
  return {
    // They are the organisation's, and may be named after what a guest does not know of.
    channels: async (scope) => (scope.isGuest === true ? [] : channels.channels(scope)),
    channel: async (scope, id) => (scope.isGuest === true ? null : channels.channel(scope, id)),
    slackLinks: async ({ user, memberships }) =>
      (await channels.slackLinks(user.id)).flatMap(({ id, orgId, slackName, linkedMs }) => {
        const of = memberships.find(({ organisation }) => organisation.id === orgId)?.organisation.name
        return of === undefined ? [] : [{ id, slackName, linkedMs, organisation: of }]
      }),
    messageSent: (scope, id) => messages.messageSent(scope, id),
    deliveryLog: (scope, params) => messages.deliveryLog(scope, logQuery(params, clock.now())),
    deliveryCounts: (scope) => messages.deliveryCounts(scope, { sinceMs: clock.now() - LOG_DAYS * DAY_MS }),
  }
}

/** Words that stand where a rule may be chosen. */
const SENDERS = ['rules', 'projects'] as const

function logQuery(
  { rule, kind, channel, state, days, text, before, rows = 'page' }: MessageLogParams,
  nowMs: number,
): DeliveryLogQuery {
  const count = Math.min(readNumber(days) ?? LOG_DAYS, max('alertMessageDays'))
  return {
    of: SENDERS.find((one) => one === rule) ?? 'all',
    ruleId: readNumber(rule),
    kind: readChannelKind(kind),
    channelId: readNumber(channel),
    before: before === undefined || before === '' ? null : before,
    states: LOG_STATES.get(state ?? '') ?? null,
    sinceMs: nowMs - count * DAY_MS,
    text: (text ?? '').slice(0, max('searchCharsMax')),
    limit: max(rows === 'file' ? 'alertLogFileRows' : 'alertLogRows'),
  }
}

function readNumber(text: string | null | undefined): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}

function readChannelKind(text: string | null | undefined): ChannelKind | null {
  return CHANNEL_KINDS.find((kind) => kind === text) ?? null
}
