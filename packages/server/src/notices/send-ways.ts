import type { Attempt } from './channels/attempt.ts'
import type { CallAnswer, GuardedCall } from './channels/guarded-call.ts'
import type { Mail } from './channels/mail/send-mail.ts'

/** Means by which every sort of delivery is sent. */
export interface SendWays {
  /** `null`: no mail is sent. */
  readonly sendMail: ((mail: Mail) => Promise<Attempt>) | null
  readonly call: (call: GuardedCall) => Promise<CallAnswer>
}
