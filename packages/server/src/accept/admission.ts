/**
 * The half of accept that keeps count: rate limits, spikes, overload, the journal, and what was left out. It runs on the
 * main thread alone, whichever thread has read the envelope.
 */
import type { Clock } from '#base/clock.ts'
import { assert, ErrataError } from '#base/errors.ts'
import type { SetAside } from '#model/large-item.ts'
import type { JournalWriter } from '#model/record.ts'
import type { Attachments, CameWith } from './attachments.ts'
import type { Authenticated, Sender } from './directory-index.ts'
import type { OutcomeCounter } from './outcome-counter.ts'
import { quantitiesOf } from './outline.ts'
import type { Overload } from './overload.ts'
import { type Admission, RateLimits, type SpikeCounter } from './rate-limits.ts'
import { heldBack, nestedTooDeep, refuseOverloaded } from './refusal.ts'
import { answerStored, leftOutOf, limitedAnswer, skippedItems, type TakenBody } from './taken.ts'
import type { AcceptAnswer, AcceptRequest } from './types.ts'

export interface AdmissionOptions {
  readonly journal: Pick<JournalWriter, 'append'>
  readonly clock: Clock
  /** Without it nothing is capped but by rate limits. */
  readonly spikes?: SpikeCounter
  /** Says when there is more than can be kept. Without it the journal alone refuses. */
  readonly overload?: Pick<Overload, 'admit'>
  readonly attachments: Pick<Attachments, 'name'>
  readonly outcomes: Pick<OutcomeCounter, 'count'>
}

/** An envelope that was authenticated and read. */
export interface ReadEnvelope {
  readonly who: Authenticated
  readonly taken: TakenBody
  readonly request: Pick<AcceptRequest, 'clientAddress' | 'userAgent'>
}

export class Admissions {
  readonly #options: AdmissionOptions
  readonly #limits: RateLimits

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#limits = new RateLimits(options.clock, options.spikes)
  }

  /** Puts what may come in into the journal. @throws Refused, which is still to be counted */
  async finish({ who, taken, request }: ReadEnvelope): Promise<AcceptAnswer> {
    try {
      const admission = this.#admit(who, taken)
      const skipped = skippedItems(taken, admission)
      // A refusal here is counted for the whole envelope; what was left out of it, only once the rest is safe.
      if (taken.items.length > skipped.length) {
        await this.#journal(who, taken, { request, admission, skipped })
      }
      this.#countSkipped(who, taken, admission)
      if (taken.items.length === skipped.length && admission.limited.length > 0) {
        return limitedAnswer(taken, admission)
      }
      return answerStored(taken, admission)
    } finally {
      if (taken.attachments !== undefined) await taken.attachments.intake.discard()
    }
  }

  /** Which items may come in. @throws Refused when none can be read, or when the key is held back. */
  #admit({ sender }: Authenticated, taken: TakenBody): Admission {
    const { items, tooDeep, body } = taken
    const leftOut = leftOutOf(taken)
    const isLeftOut = (index: number) => leftOut.some((each) => each.index === index)
    const readable =
      tooDeep.length + leftOut.length === 0
        ? items
        : items.filter(({ index }) => !tooDeep.includes(index) && !isLeftOut(index))
    if (readable.length === 0 && tooDeep.length > 0) throw nestedTooDeep(items.flatMap(quantitiesOf))
    const admission = this.#limits.admit(sender, readable)
    if (readable.length === admission.limited.length) return admission
    const whose = { keyId: sender.key.id, projectId: sender.project.id }
    const reason = this.#options.overload?.admit(whose, body.length) ?? null
    if (reason === null) return admission
    this.#limits.giveBack(sender, admission)
    throw heldBack(reason, items.flatMap(quantitiesOf))
  }

  async #journal(
    { sender, client }: Authenticated,
    taken: TakenBody,
    of: {
      readonly request: ReadEnvelope['request']
      readonly admission: Admission
      readonly skipped: readonly number[]
    },
  ): Promise<void> {
    const { request, admission, skipped } = of
    try {
      const setAside =
        taken.attachments === undefined
          ? NOTHING_ASIDE
          : await this.#nameAttachments(taken, taken.attachments, { sender, skipped })
      await this.#options.journal.append({
        type: 'envelope',
        projectId: sender.project.id,
        keyId: sender.key.id,
        receivedMs: this.#options.clock.now(),
        clientAddress: request.clientAddress,
        userAgent: request.userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
        client,
        encodings: taken.encodings,
        format: taken.format,
        eventId: taken.eventId,
        skippedItems: skipped,
        body: taken.body,
        ...(setAside.length > 0 && { setAside }),
      })
    } catch (cause) {
      this.#limits.giveBack(sender, admission)
      if (cause instanceof ErrataError && (cause.code === 'overloaded' || cause.code === 'stopping')) {
        throw refuseOverloaded()
      }
      throw cause
    }
  }

  /** Names what is admitted; the journal's record comes after it is durable. */
  #nameAttachments(
    { eventId }: TakenBody,
    came: CameWith,
    { sender, skipped }: { readonly sender: Sender; readonly skipped: readonly number[] },
  ): Promise<readonly SetAside[]> {
    assert(eventId !== null, 'an attachment needs an event id')
    return this.#options.attachments.name(came, { project: sender.project, eventId, skipped })
  }

  #countSkipped({ sender }: Authenticated, taken: TakenBody, admission: Admission): void {
    const { outcomes } = this.#options
    const whose = { projectId: sender.project.id, keyId: sender.key.id }
    for (const { index, bytes, leftOut } of leftOutOf(taken)) {
      const item = taken.items.find((each) => each.index === index)
      if (item === undefined || leftOut === null) continue
      const example = `attachment of ${bytes} bytes`
      for (const counted of quantitiesOf(item)) outcomes.count({ ...leftOut, ...counted, ...whose, example })
    }
    for (const { category, quantity, index } of taken.items) {
      if (!taken.tooDeep.includes(index)) continue
      outcomes.count({ outcome: 'invalid', reason: 'too_deep', category, quantity, ...whose })
    }
    for (const { item, reason } of admission.limited) {
      for (const { category, quantity } of quantitiesOf(item)) {
        outcomes.count({ outcome: 'rate_limited', reason, category, quantity, ...whose })
      }
    }
  }
}

const USER_AGENT_CHARS_MAX = 512
const NOTHING_ASIDE: readonly SetAside[] = []
