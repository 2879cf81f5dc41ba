/** What people see of channels, and of the alerts that went there. */
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { CHANNEL_KINDS, type Channel, type ChannelKind, type ChannelsRead } from '#ports/channels.ts'
import type { MessageLog, MessageLogEntry, MessageState, MessagesRead } from '#ports/messages.ts'
import type { ReadScope } from '#ports/scope.ts'

/** As an address carries it; what names nothing asks nothing. */
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

export interface ChannelQueries {
  channels(scope: ReadScope): Promise<readonly Channel[]>
  channel(scope: ReadScope, id: number): Promise<Channel | null>
  messageLog(scope: ReadScope, params: MessageLogParams): Promise<MessageLog>
  messageSent(
    scope: ReadScope,
    id: number,
  ): Promise<{ readonly entry: MessageLogEntry; readonly message: AlertMessage } | null>
}

const LOG_STATES: Readonly<Record<string, readonly MessageState[]>> = {
  delivered: ['sent'],
  failed: ['failed'],
  waiting: ['waiting', 'sending'],
  gathered: ['gathered'],
  cancelled: ['cancelled'],
}
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
    messageSent: (scope, id) => messages.messageSent(scope, id),
    messageLog: (scope, { rule, kind, channel, state, days, text, before, rows = 'page' }) => {
      const count = Math.min(numberOf(days) ?? LOG_DAYS, max('alertMessageDays'))
      return messages.messageLog(scope, {
        ruleId: numberOf(rule),
        kind: kindOf(kind),
        channelId: numberOf(channel),
        states: LOG_STATES[state ?? ''] ?? null,
        sinceMs: clock.now() - count * DAY_MS,
        text: (text ?? '').slice(0, max('searchCharsMax')),
        before: numberOf(before),
        limit: max(rows === 'file' ? 'alertLogFileRows' : 'alertLogRows'),
      })
    },
  }
}

function numberOf(text: string | null | undefined): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null
}

function kindOf(text: string | null | undefined): ChannelKind | null {
  return CHANNEL_KINDS.find((kind) => kind === text) ?? null
}
