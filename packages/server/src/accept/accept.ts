/**
 * The first beat. A request ends in one of two ways: its bytes are in the journal and on the disk, or it is refused
 * and the refusal counted. Everything here runs on the main thread: small bodies are inflated and outlined at once, and
 * nothing is parsed but header lines. What is read of a small body goes to the journal inflated, so that nobody inflates
 * it again.
 */
import { readEnvelopeHeader } from '@errata/protocol'
import type { Clock } from '#base/clock.ts'
import { assert, ErrataError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { SetAside } from '#model/large-item.ts'
import type { JournalWriter } from '#model/record.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import { Attachments, type CameWith } from './attachments.ts'
import { AuthReader, authenticateDsn, authenticateRequest, readProject } from './authenticate.ts'
import { type Authenticated, type DirectoryIndex, indexDirectory, type Sender } from './directory-index.ts'
import { readEncodings } from './inflate.ts'
import { Inflating } from './inflating.ts'
import { lostItems } from './lost-items.ts'
import { OutcomeCounter } from './outcome-counter.ts'
import { quantitiesOf } from './outline.ts'
import type { Overload } from './overload.ts'
import { type Admission, RateLimits, type SpikeCounter } from './rate-limits.ts'
import { BodyReader, isEnvelope, type Progress, sendingOf } from './read-body.ts'
import {
  answerRefusal,
  authMissing,
  bodyEmpty,
  heldBack,
  nestedTooDeep,
  overloaded,
  type Quantity,
  Refused,
  type RefusedFor,
} from './refusal.ts'
import { leftOutOf, limitedAnswer, NO_BODY, skippedItems, stored, type Taken } from './taken.ts'
import type { Accept, AcceptAnswer, AcceptRequest, LargeSource, SeenSender, UnreadAnswer } from './types.ts'

export interface AcceptOptions {
  readonly journal: Pick<JournalWriter, 'append'>
  readonly directory: IngestDirectory
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Without it nothing is capped but by rate limits. */
  readonly spikes?: SpikeCounter
  /** Says when there is more than can be kept. Without it the journal alone refuses. */
  readonly overload?: Pick<Overload, 'admit' | 'closedBy' | 'charge'>
  /** Store that takes attachments. */
  readonly blobs: LargeBlobs
}

export function createAccept(options: AcceptOptions): Accept & { close(): Promise<void> } {
  const accept = new AcceptStep(options)
  return {
    accept: (request, seen) => accept.accept(request, seen),
    acceptLarge: (request, source, seen) => accept.acceptLarge(request, source, seen),
    refuseUnread: (request, bodyBytes) => accept.refuseUnread(request, bodyBytes),
    countRefusal: (refusal) => accept.countRefusal(refusal),
    setDirectory: (directory) => accept.setDirectory(directory),
    changeDirectory: (change) => accept.changeDirectory(change),
    flush: () => accept.flush(),
    close: () => accept.close(),
  }
}

class AcceptStep {
  readonly #options: AcceptOptions
  readonly #outcomes: OutcomeCounter
  readonly #limits: RateLimits
  readonly #inflating: Inflating
  readonly #auth = new AuthReader()
  readonly #attachments: Attachments
  readonly #bodies: BodyReader
  #directory: DirectoryIndex
  /** Large envelopes that are being read. */
  #largeOpen = 0

  constructor(options: AcceptOptions) {
    this.#options = options
    this.#outcomes = new OutcomeCounter(options)
    this.#limits = new RateLimits(options.clock, options.spikes)
    this.#inflating = new Inflating(options)
    this.#directory = indexDirectory(options.directory)
    this.#attachments = new Attachments(options)
    this.#bodies = new BodyReader({
      ...{ inflating: this.#inflating, attachments: this.#attachments, random: options.random },
      directory: () => this.#directory,
    })
  }

  async accept(request: AcceptRequest, seen: SeenSender | null = null): Promise<AcceptAnswer> {
    const progress: Progress = { request, who: null, items: null, inflatedBytes: 0 }
    try {
      this.#begin(progress, seen)
      checkBody(progress)
      const reading = this.#bodies.take(progress)
      // Most bodies are read at once: an await for nothing would cost each a turn of the queue.
      const taken = reading instanceof Promise ? await reading : reading
      return await this.#finish(progress, taken)
    } catch (cause) {
      return this.#refuse(cause, progress)
    }
  }

  async acceptLarge(
    described: Omit<AcceptRequest, 'body'>,
    source: LargeSource,
    seen: SeenSender | null = null,
  ): Promise<AcceptAnswer> {
    const request = { ...described, body: NO_BODY }
    const progress: Progress = { request, who: null, items: null, inflatedBytes: 0 }
    try {
      this.#begin(progress, seen)
      if (this.#largeOpen >= max('largeBodiesMax') && source.makeRoom?.() !== true) throw overloaded()
      this.#largeOpen++
      try {
        const taken = await this.#bodies.takeLarge(progress, source)
        return await this.#finish(progress, taken)
      } finally {
        this.#largeOpen--
      }
    } catch (cause) {
      return this.#refuse(cause, progress)
    }
  }

  async #finish(progress: Progress, taken: Taken): Promise<AcceptAnswer> {
    if (progress.who === null) throw authMissing()
    progress.inflatedBytes = 0
    try {
      const admission = this.#admit(progress.who, taken)
      const skipped = skippedItems(taken, admission)
      // A refusal here is counted for the whole envelope; what was left out of it, only once the rest is safe.
      if (taken.items.length > skipped.length) {
        await this.#journal(progress.who, taken, { request: progress.request, admission, skipped })
      }
      this.#countSkipped(progress.who, taken, admission)
      if (taken.items.length === skipped.length && admission.limited.length > 0) {
        return limitedAnswer(taken, admission)
      }
      return stored(taken, admission)
    } finally {
      if (taken.attachments !== undefined) await taken.attachments.intake.discard()
    }
  }

  /** @throws what is no refusal */
  #refuse(cause: unknown, progress: Progress): AcceptAnswer {
    if (!(cause instanceof Refused)) throw cause
    if (progress.inflatedBytes > 0) this.#inflating.wasted(sendingOf(progress), progress.inflatedBytes)
    this.#count(cause, progress)
    return answerRefusal(cause)
  }

  refuseUnread(described: Omit<AcceptRequest, 'body'>, bodyBytes: number | null): UnreadAnswer {
    if (isCheap(described, bodyBytes ?? 0)) return UNSEEN
    const progress: Progress = {
      request: { ...described, body: NO_BODY },
      who: null,
      items: null,
      inflatedBytes: 0,
    }
    try {
      this.#checkSender(progress)
      const closedBy = this.#options.overload?.closedBy() ?? null
      if (closedBy !== null) throw overloaded(closedBy)
      this.#inflating.checkSender(sendingOf(progress))
      return { refused: null, seen: { who: progress.who, directory: this.#directory } }
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      this.#count(cause, progress)
      return { refused: answerRefusal(cause), seen: null }
    }
  }

  countRefusal(refusal: Parameters<Accept['countRefusal']>[0]): void {
    const sender = refusal.key === null ? null : this.#directory.sender(refusal.key)
    const named = refusal.projectRef === null ? sender?.project : this.#projectNamed(refusal.projectRef)
    const isLimit = refusal.reason === 'relay_limit' || refusal.reason === 'overloaded'
    for (const { category, quantity } of lostItems(refusal).flatMap(quantitiesOf)) {
      this.#outcomes.count({
        ...{ outcome: isLimit ? 'rate_limited' : 'invalid', reason: refusal.reason, category, quantity },
        example: refusal.example,
        projectId: named?.id ?? null,
        keyId: sender !== null && sender.project.id === named?.id ? sender.key.id : null,
      })
    }
  }

  setDirectory(directory: IngestDirectory): void {
    this.#directory = indexDirectory(directory)
  }

  changeDirectory(change: DirectoryChange): void {
    this.#directory = this.#directory.changed(change)
  }

  flush(): Promise<void> {
    return this.#outcomes.flush()
  }

  close(): Promise<void> {
    return this.#outcomes.close()
  }

  /** Checks what can be checked before the body is read. */
  #begin(progress: Progress, seen: SeenSender | null): void {
    const { request } = progress
    // A body may take its time: what people changed meanwhile holds for it.
    if (seen !== null && seen.directory === this.#directory) progress.who = seen.who
    else this.#checkSender(progress)
    const closedBy = this.#options.overload?.closedBy() ?? null
    if (closedBy !== null) {
      progress.who ??= this.#whoSends(request)
      throw overloaded(closedBy)
    }
  }

  #checkSender(progress: Progress): void {
    const { request } = progress
    readProject(request.projectRef)
    // A tunnelled envelope speaks for itself alone: what a page could put beside it is not looked at.
    if (request.relay === null) {
      progress.who = authenticateRequest(request, this.#directory, this.#auth)
    }
  }

  /**
   * Returns the sender by the envelope's first line, if reading it is cheap. @throws Refused for a DSN that
   * may not send.
   */
  #whoSends(request: AcceptRequest): Authenticated | null {
    if (!isCheap(request, request.body.length)) return null
    const first = readEnvelopeHeader(request.body)
    return first.ok ? authenticateDsn(first.header.dsn, request, this.#directory) : null
  }

  /** Which items may come in. @throws Refused when none can be read, or when the key is held back. */
  #admit({ sender }: Authenticated, taken: Taken): Admission {
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
    taken: Taken,
    of: {
      readonly request: AcceptRequest
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
        throw overloaded()
      }
      throw cause
    }
  }

  /** Names what is admitted; the journal's record comes after it is durable. */
  #nameAttachments(
    { eventId }: Taken,
    came: CameWith,
    { sender, skipped }: { readonly sender: Sender; readonly skipped: readonly number[] },
  ): Promise<readonly SetAside[]> {
    assert(eventId !== null, 'an attachment needs an event id')
    return this.#attachments.name(came, { project: sender.project, eventId, skipped })
  }

  #countSkipped({ sender }: Authenticated, taken: Taken, admission: Admission): void {
    const whose = { projectId: sender.project.id, keyId: sender.key.id }
    for (const { index, bytes, leftOut } of leftOutOf(taken)) {
      const item = taken.items.find((each) => each.index === index)
      if (item === undefined || leftOut === null) continue
      const example = `attachment of ${bytes} bytes`
      for (const counted of quantitiesOf(item))
        this.#outcomes.count({ ...leftOut, ...counted, ...whose, example })
    }
    for (const { category, quantity, index } of taken.items) {
      if (!taken.tooDeep.includes(index)) continue
      this.#outcomes.count({ outcome: 'invalid', reason: 'too_deep', category, quantity, ...whose })
    }
    for (const { item, reason } of admission.limited) {
      for (const { category, quantity } of quantitiesOf(item)) {
        this.#outcomes.count({ outcome: 'rate_limited', reason, category, quantity, ...whose })
      }
    }
  }

  /** Counts a refusal for the project it concerns, by the kinds of its items where those can be read. */
  #count(refused: Refused, progress: Progress): void {
    const { outcome, reason, example } = refused
    const quantities = refused.quantities ?? progress.items ?? this.#refusedItems(progress.request)
    for (const { category, quantity } of quantities.flatMap(quantitiesOf)) {
      this.#outcomes.count({
        outcome,
        reason,
        category,
        quantity,
        example,
        ...(refused.who ?? this.#refusedFor(progress)),
      })
    }
  }

  #refusedFor({ request, who }: Progress): RefusedFor {
    if (who !== null) return { projectId: who.sender.project.id, keyId: who.sender.key.id }
    const named = request.projectRef === null ? null : this.#projectNamed(request.projectRef)
    const key = request.query.get('sentry_key')
    const sender = key === null ? null : this.#directory.sender(key)
    return {
      projectId: named?.id ?? null,
      keyId: sender !== null && sender.project.id === named?.id ? sender.key.id : null,
    }
  }

  #projectNamed(projectRef: string) {
    return /^\d{1,20}$/.test(projectRef) ? this.#directory.projectNamed(projectRef) : null
  }

  /** The outline of a body that was refused before it was read, where that costs next to nothing. */
  #refusedItems(request: AcceptRequest): readonly Quantity[] {
    return lostItems({ sent: request, begun: request.body })
  }
}

const USER_AGENT_CHARS_MAX = 512
const NOTHING_ASIDE: readonly SetAside[] = []
const UNSEEN: UnreadAnswer = { refused: null, seen: null }

/** @throws Refused for a request without a body, where it needs one */
function checkBody({ request, who }: Progress): void {
  if (request.body.length > 0) return
  if (who === null) throw authMissing()
  // Of OTLP it is a request without spans; of most signals nobody looks at it.
  if (request.format !== 'otlp' && request.format !== 'signal') throw bodyEmpty()
}

/** A small envelope that can be read as it is. */
function isCheap(request: Omit<AcceptRequest, 'body'>, bodyBytes: number): boolean {
  if (!isEnvelope(request) || bodyBytes > max('inflateSyncBytesMax')) return false
  return readEncodings(request.contentEncoding)?.length === 0
}
