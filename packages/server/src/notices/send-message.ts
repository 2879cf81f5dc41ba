/** Sends one alert to its receiver, and says what came of it. */
import type { Clock } from '#base/clock.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import type { ChannelTarget } from '#ports/channels.ts'
import type { ClaimedMessage, MessageReceiver } from '#ports/messages.ts'
import { alertWords } from './alert-words.ts'
import type { Attempt } from './channels/attempt.ts'
import type { ChannelAnswer, ChannelSending } from './channels/channel-type.ts'
import { attemptOf } from './channels/guarded-call.ts'
import { CHANNEL_TYPES } from './channels/kinds/kinds.ts'
import { alertMail } from './channels/mail/alert-text.ts'
import type { SendWays } from './send-ways.ts'

export interface MessageSendParts extends SendWays {
  readonly publicAddress: PublicAddress
  readonly version: string
  readonly clock: Clock
}

export interface MessageSending extends Pick<ClaimedMessage, 'key' | 'tries' | 'message'> {
  readonly to: MessageReceiver
  readonly signal: AbortSignal
}

export type SendMessage = (sending: MessageSending) => Promise<ChannelAnswer>

/** Never rejects: whatever goes wrong is an attempt that failed. */
export function createSendMessage(parts: MessageSendParts): SendMessage {
  return async (sending) => {
    const { to } = sending
    if (to.to === 'person') return { attempt: await mail(parts, sending, { ...to, isPerson: true }) }
    const { channel } = to
    if (channel.kind === 'email') {
      const receiver = { email: channel.values.address ?? '', name: channel.name, isPerson: false }
      return { attempt: await mail(parts, sending, receiver) }
    }
    return callChannel(parts, sending, { channel, thread: to.thread })
  }
}

async function mail(
  { sendMail, publicAddress }: MessageSendParts,
  { message, key, signal }: MessageSending,
  { email, name, isPerson }: { readonly email: string; readonly name: string; readonly isPerson: boolean },
): Promise<Attempt> {
  if (sendMail === null) return { outcome: 'refused', says: 'No mail server is configured.' }
  const { url, hostname: host } = publicAddress
  const text = alertMail(message, { url, isPerson })
  return sendMail({ ...text, to: { name, address: email }, key, host, signal })
}

async function callChannel(
  parts: MessageSendParts,
  { message, key, tries, signal }: MessageSending,
  { channel, thread }: { readonly channel: ChannelTarget; readonly thread: string | null },
): Promise<ChannelAnswer> {
  const type = CHANNEL_TYPES[channel.kind]
  const url = parts.publicAddress.url
  const sending = channelInput(message, { channel, url, key, thread, nowMs: parts.clock.now() })
  const call = type.call(sending)
  if (call === null) return { attempt: { outcome: 'sent', says: 'There was nothing to send.' } }
  const answer = await parts.call({
    url: call.url,
    body: JSON.stringify(call.body),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `Errata/${parts.version}`,
      'errata-try': String(tries),
      ...call.headers,
    },
    reads: true,
    signal,
  })
  return type.read?.(answer) ?? { attempt: attemptOf(answer) }
}

/** Builds the input of a channel's type. */
export function channelInput(
  message: AlertMessage,
  given: {
    readonly channel: Pick<ChannelTarget, 'id' | 'values'>
    readonly url: string
    readonly key: string
    readonly thread: string | null
    readonly nowMs: number
  },
): ChannelSending {
  const { channel, url, key, thread, nowMs } = given
  const words = alertWords(message, url)
  return { message, words, values: channel.values, url, key, thread, channelId: channel.id, nowMs }
}
