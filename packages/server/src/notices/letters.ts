/** Sends letters. A link's code is made here, and works from just before its mail goes out. */
import { createHmac } from 'node:crypto'
import { secretHash } from '#access/secrets.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { Random } from '#base/random.ts'
import type { ClaimedLetter, HeldLines, IssueTelling, Letters } from '#ports/letters.ts'
import type { Outbox, Outgoing } from '#ports/outbox.ts'
import { heldText } from './channels/mail/held-text.ts'
import { letterText } from './channels/mail/letter-text.ts'
import { tellingText } from './channels/mail/telling-text.ts'
import { claimsOf, type LaneWork } from './notice-lane.ts'
import type { SendWays } from './send-ways.ts'

interface LetterParts {
  readonly letters: Pick<Letters, 'openLetter'>
  readonly outbox: Outbox
  readonly sendMail: NonNullable<SendWays['sendMail']>
  readonly publicAddress: PublicAddress
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const SECRET_BYTES = 32

/** Builds the delivery loop's work on letters. */
export function letterWork(parts: LetterParts): LaneWork<Outgoing['letters']> {
  const { letters, outbox, publicAddress, clock, log, sendMail } = parts
  const codeOf = createCodes(parts.random)
  return {
    ...claimsOf(outbox, 'letters'),
    pool: 'letter',
    async send(letter, signal) {
      if (letter.telling !== null) return sendTelling(parts, letter, { telling: letter.telling, signal })
      if (letter.held !== null) return sendHeld(parts, letter, { held: letter.held, signal })
      const code = codeOf(letter)
      const nowMs = clock.now()
      if (!(await letters.openLetter(letter, secretHash(code), nowMs)))
        return { outcome: 'refused', says: 'It is no longer needed.' }
      const url = publicAddress.link(letterPath(letter, code))
      return sendMail({
        ...letterText(letter, { url, nowMs }),
        to: { name: letter.to.name, address: letter.to.email },
        key: letter.key,
        host: publicAddress.hostname,
        stop: null,
        signal,
      })
    },
    async settle(letter, settlement, nowMs) {
      const { state, says } = settlement
      const isTelling = letter.telling !== null || letter.held !== null
      const what = isTelling ? 'an email to a subscriber of an issue' : 'an email with a link'
      if (state === 'failed') log.warn(`${what} could not be sent`, { letter: letter.id, says })
      return outbox.settleFor('letters', letter, settlement, nowMs)
    },
  }
}

function letterPath({ invitation, signIn }: ClaimedLetter, code: string): string {
  if (signIn !== null) return '/account/sessions'
  return invitation === null ? `/reset/${code}` : `/join/${code}`
}

/** It carries no code: whoever opens the issue signs in as ever. */
function sendTelling(
  { sendMail, publicAddress }: LetterParts,
  { key, to }: ClaimedLetter,
  { telling, signal }: { readonly telling: IssueTelling; readonly signal: AbortSignal },
) {
  const path = `/${encodeURIComponent(telling.organisation)}/issues/${encodeURIComponent(telling.issue.shortId)}`
  const links = { open: publicAddress.link(`${path}/activity`), stop: publicAddress.link('/account/alerts') }
  return sendMail({
    ...tellingText(telling, links),
    to: { name: to.name, address: to.email },
    key,
    host: publicAddress.hostname,
    stop: links.stop,
    signal,
  })
}

/** Sends one email of everything that waited for the end of the receiver's quiet hours. */
function sendHeld(
  { sendMail, publicAddress }: LetterParts,
  { key, to }: ClaimedLetter,
  { held, signal }: { readonly held: HeldLines; readonly signal: AbortSignal },
) {
  const stop = publicAddress.link('/account/alerts')
  return sendMail({
    ...heldText(held, (path) => publicAddress.link(path)),
    to: { name: to.name, address: to.email },
    key,
    host: publicAddress.hostname,
    stop,
    signal,
  })
}

/**
 * The same code for every try of a letter while the process lives: where a mail arrived although its server did not say
 * so, its link works on. Nothing that is stored tells it.
 */
function createCodes(random: Random): (letter: Pick<ClaimedLetter, 'key'>) => string {
  const secret = random.token(SECRET_BYTES)
  return ({ key }) => createHmac('sha256', secret).update(key).digest('base64url')
}
