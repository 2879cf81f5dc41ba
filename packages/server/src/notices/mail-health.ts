/** Whether emails get out: told by what came of those that were tried, of every sort, in the log once and on /system while it lasts. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Attempt } from './channels/attempt.ts'
import type { Mail } from './channels/mail/send-mail.ts'

export interface MailFacts {
  /** Emails tried since the start. */
  readonly sent: number
  readonly failed: number
  /** Since when none got out, once that is long enough to tell; `null`: as far as is known they do. */
  readonly failing: { readonly sinceMs: number; readonly says: string } | null
}

export class MailHealth {
  readonly #clock: Clock
  readonly #log: Log
  #sent = 0
  #failed = 0
  #failing: { sinceMs: number; says: string; isTold: boolean } | null = null

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock
    this.#log = log
  }

  /** The same way out, watched. */
  watch(send: (mail: Mail) => Promise<Attempt>): (mail: Mail) => Promise<Attempt> {
    return async (mail) => {
      const attempt = await send(mail)
      this.#note(attempt)
      return attempt
    }
  }

  facts(): MailFacts {
    const failing = this.#failing
    const isLong = failing !== null && this.#clock.now() - failing.sinceMs >= max('mailFailingMs')
    const shown = isLong ? { sinceMs: failing.sinceMs, says: failing.says } : null
    return { sent: this.#sent, failed: this.#failed, failing: shown }
  }

  #note(attempt: Attempt): void {
    if (attempt.outcome === 'sent') {
      this.#sent++
      if (this.#failing?.isTold === true) this.#log.info('emails are sent again')
      this.#failing = null
      return
    }
    if (attempt.outcome === 'failed' && attempt.isStopped === true) return
    this.#failed++
    const { says } = attempt
    this.#failing = { sinceMs: this.#clock.now(), isTold: false, ...this.#failing, says }
    if (this.#failing.isTold || this.facts().failing === null) return
    this.#failing.isTold = true
    const since = new Date(this.#failing.sinceMs).toISOString()
    this.#log.warn('emails cannot be sent', { since, reason: says })
  }
}
