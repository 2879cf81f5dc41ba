/** Sends one claimed delivery and says what becomes of it. */

import type { Clock } from '#base/clock.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { SmtpServer } from '#limits/smtp-setting.ts'
import type { ClaimedDelivery, Notice, Settlement } from '#ports/notices.ts'
import type { Attempt } from './channels/attempt.ts'
import type { Resolve } from './channels/checked-addresses.ts'
import { attemptOf, createGuardedCall } from './channels/guarded-call.ts'
import { mailText } from './channels/mail/mail-text.ts'
import { createSendMail } from './channels/mail/send-mail.ts'
import { signatureOf, webhookBody } from './channels/webhook/webhook-body.ts'
import { linksOf } from './notice-links.ts'
import { sendNothing } from './send-nothing.ts'
import type { SendWays } from './send-ways.ts'

export interface SendParts {
  /** `null`: no mail is sent. */
  readonly smtp: SmtpServer | null
  readonly privateTargets: boolean
  readonly publicAddress: PublicAddress
  readonly version: string
  readonly clock: Clock
  readonly resolve?: Resolve
  /** True for a demo. */
  readonly sendsNothing?: boolean
}

export interface Sending {
  readonly to: ClaimedDelivery['to']
  readonly key: string
  readonly tries: number
  readonly notice: Notice
  readonly signal: AbortSignal
}

export function createSendWays(parts: SendParts): SendWays {
  const { smtp, privateTargets, resolve, sendsNothing, clock } = parts
  if (sendsNothing === true) return sendNothing(clock)
  return {
    sendMail: smtp === null ? null : createSendMail({ smtp }),
    call: createGuardedCall({ privateTargets, ...(resolve === undefined ? {} : { resolve }) }),
  }
}

/** Never rejects: whatever goes wrong is an attempt that failed. */
export function createSend(
  parts: SendParts,
  { sendMail, call }: SendWays = createSendWays(parts),
): (sending: Sending) => Promise<Attempt> {
  return async ({ to, key, tries, notice, signal }) => {
    const { url, hostname } = parts.publicAddress
    if (to.channel === 'mail') {
      if (sendMail === null) return { outcome: 'refused', says: 'No mail server is configured.' }
      const { stop } = linksOf(url, notice)
      const receiver = { name: to.name, address: to.email }
      return sendMail({
        ...mailText(notice, url),
        to: receiver,
        key,
        host: hostname,
        stop,
        signal,
      })
    }
    const body = webhookBody(notice, { key, url })
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Errata/${parts.version}`,
      'errata-notice': key,
      'errata-try': String(tries),
      'errata-signature': signatureOf(body, { secret: to.secret, nowMs: parts.clock.now() }),
    }
    return attemptOf(await call({ url: to.url, body, headers, signal }))
  }
}

/** A try that failed waits twice as long as the one before, give or take a fifth, so that a crowd does not return at once. */
export function settlementOf(
  attempt: Attempt,
  at: { readonly tries: number; readonly nowMs: number; readonly random: Random },
): Settlement {
  const { says } = attempt
  if (attempt.outcome === 'sent') return { state: 'sent', says }
  if (attempt.outcome === 'failed' && attempt.isStopped === true)
    return { state: 'waiting', says, nextMs: at.nowMs }
  if (attempt.outcome === 'refused' || at.tries >= max('noticeTriesMax')) return { state: 'failed', says }
  return { state: 'waiting', says, nextMs: at.nowMs + delayOf(attempt, at) }
}

/** A receiver that asks for more time has it, within reason. */
function delayOf(
  attempt: Extract<Attempt, { readonly outcome: 'failed' }>,
  { tries, random }: { readonly tries: number; readonly random: Random },
): number {
  const asked = Math.min(attempt.retryAfterMs ?? 0, max('noticeRetryMsMax'))
  return Math.max(retryDelayMs(tries, random), asked)
}

/** Milliseconds before the try after `tries`. */
export function retryDelayMs(tries: number, random: Random): number {
  const doubled = max('noticeRetryMs') * 2 ** Math.min(tries - 1, 30)
  const jitter = 0.8 + 0.4 * (Number.parseInt(random.hex(2), 16) / 0xffff)
  return Math.round(Math.min(doubled, max('noticeRetryMsMax')) * jitter)
}
