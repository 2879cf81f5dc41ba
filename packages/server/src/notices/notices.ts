/** The fifth beat as the composition root and the commands see it: a loop that delivers, and tests that go out at once. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import type { Letters } from '#ports/letters.ts'
import type { ClaimedDelivery, Notice, NoticeQueue } from '#ports/notices.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { Attempt } from './channels/attempt.ts'
import { createLookUp } from './channels/look-up.ts'
import { readWebhookUrl, type WebhookUrl } from './channels/webhook/webhook-url.ts'
import { createSend, createSendWays, type SendParts } from './deliver.ts'
import { letterWork } from './letters.ts'
import { type MailFacts, MailHealth } from './mail-health.ts'
import { messageWork } from './message-work.ts'
import { NoticeLoop, type NoticeLoopParts } from './notice-loop.ts'
import { createSendMessage, type SendMessage } from './send-message.ts'
import type { SendWays } from './send-ways.ts'
import { type TestMailReceiver, testMail } from './test-mail.ts'

export interface NoticeParts extends SendParts {
  readonly queue: NoticeQueue
  readonly outbox: Outbox
  readonly letters: Pick<Letters, 'openLetter'>
  /** Builds the lane of issue trackers, over the guarded call. */
  readonly trackerLane?: (call: SendWays['call']) => NonNullable<NoticeLoopParts['trackerWork']>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Tests that the commands use. */
export interface NoticeTests {
  /** Sends the notice now, once; the outcome is honest. `key` names this try. */
  sendTest(test: {
    readonly key: string
    readonly to: ClaimedDelivery['to']
    readonly notice: Notice
  }): Promise<Attempt>
  /** The same of an alert: a test of a channel or a rule. */
  readonly sendMessage: SendMessage
  /** Asks a service something, with the guard of every outside call. */
  readonly call: SendWays['call']
  /** Whether a text may be a webhook's address on this server. */
  webhookUrl(text: string): WebhookUrl
  /** Sends the operator an email that says that it is a test; `null` without a mail server. */
  readonly sendTestMail: ((to: TestMailReceiver) => Promise<Attempt>) | null
  /** Address mail is from; `null` without a mail server. */
  readonly mailFrom: string | null
  readonly privateTargets: boolean
}

export interface Notices {
  readonly tests: NoticeTests
  /** Whether emails get out. */
  mail(): MailFacts
  /** Something was queued. */
  wake(): void
  start(): void
  close(): Promise<void>
}

export function createNotices(given: NoticeParts): Notices {
  const parts = { ...given, resolve: given.resolve ?? createLookUp() }
  const { smtp, privateTargets } = parts
  const health = new MailHealth(parts)
  const own = createSendWays(parts)
  const ways = { ...own, sendMail: own.sendMail === null ? null : health.watch(own.sendMail) }
  const send = createSend(parts, ways)
  const sendMessage = createSendMessage({ ...parts, ...ways })
  const loop = new NoticeLoop({
    ...{ ...parts, send, mail: smtp !== null },
    letterWork: ways.sendMail === null ? null : letterWork({ ...parts, sendMail: ways.sendMail }),
    messageWork: messageWork({ ...parts, sendMessage }),
    ...(parts.trackerLane === undefined ? {} : { trackerWork: parts.trackerLane(ways.call) }),
  })
  return {
    tests: {
      sendTest: (test) => send({ ...test, tries: 1, signal: new AbortController().signal }),
      sendMessage,
      call: ways.call,
      webhookUrl: (text) => readWebhookUrl(text, privateTargets),
      mailFrom: smtp?.from.address ?? null,
      sendTestMail:
        smtp === null || ways.sendMail === null
          ? null
          : testMail({ ...parts, smtp, sendMail: ways.sendMail }),
      privateTargets,
    },
    mail: () => health.facts(),
    wake: () => loop.wake(),
    start: () => loop.start(),
    close: () => loop.close(),
  }
}
