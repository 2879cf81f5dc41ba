/**
 * The first beat. A request ends in one of two ways: its bytes are in the journal and on the disk, or it is refused
 * and the refusal counted. All of it runs on the main thread, or up to admission on threads beside it
 * (`accept-apart.ts`): small bodies are inflated and outlined at once, and nothing is parsed but header lines. What is read of a small body goes to the journal inflated, so that nobody inflates
 * it again.
 */
import { readEnvelopeHeader } from '@errata/protocol'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { JournalWriter } from '#model/record.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { DirectoryChange, IngestDirectory } from '#ports/projects.ts'
import { Admissions, type ReadEnvelope } from './admission.ts'
import { Attachments } from './attachments.ts'
import { AuthReader, authenticateDsn, authenticateRequest, readProject } from './authenticate.ts'
import { type Authenticated, type DirectoryIndex, indexDirectory } from './directory-index.ts'
import { readEncodings } from './inflate.ts'
import { Inflating } from './inflating.ts'
import { lostItems } from './lost-items.ts'
import { OutcomeCounter } from './outcome-counter.ts'
import { quantitiesOf } from './outline.ts'
import type { Overload, OverloadReason } from './overload.ts'
import type { SpikeCounter } from './rate-limits.ts'
import { BodyReader, isEnvelope, type Progress, senderProgress } from './read-body.ts'
import {
  answerRefusal,
  authMissing,
  bodyEmpty,
  keyUnknown,
  type Quantity,
  Refused,
  type RefusedFor,
  refuseOverloaded,
} from './refusal.ts'
import type { WorkSender } from './sender-work.ts'
import { NO_BODY, type TakenBody } from './taken.ts'
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
  /** Told of a sender whose compressed bodies are refused for a while. */
  readonly onHeld?: (name: WorkSender) => void
}

/** Accept on the main thread, which keeps the limits and writes the journal. */
export interface MainAccept extends Accept {
  /** Admits what another thread has read, of a key that it names. */
  admitRead(read: ReadElsewhere): Promise<AcceptAnswer>
  /** Counts what another thread has refused. */
  count: OutcomeCounter['count']
  close(): Promise<void>
}

/** An envelope that another thread has authenticated and read. */
export interface ReadElsewhere extends Omit<ReadEnvelope, 'who'> {
  readonly publicKey: string
  readonly client: string | null
}

export function createAccept(options: AcceptOptions): MainAccept {
  const outcomes = new OutcomeCounter(options)
  const attachments = new Attachments(options)
  const accept = new AcceptStep({
    ...{ attachments, outcomes, directory: options.directory, random: options.random },
    inflating: new Inflating(options),
    admissions: new Admissions({ ...options, attachments, outcomes }),
    closedBy: () => options.overload?.closedBy() ?? null,
  })
  return {
    ...acceptOf(accept),
    admitRead: (read) => accept.admitRead(read),
    count: (outcome) => outcomes.count(outcome),
    flush: () => outcomes.flush(),
    close: () => outcomes.close(),
  }
}

/** Parts that read envelopes and decide of them; a thread beside the main one asks it for the latter. */
export interface AcceptParts {
  readonly directory: IngestDirectory
  readonly random: Random
  readonly outcomes: Pick<OutcomeCounter, 'count'>
  readonly admissions: Pick<Admissions, 'finish'>
  readonly inflating: Pick<Inflating, 'checkSender' | 'inflate' | 'wasted'>
  readonly attachments: Pick<Attachments, 'part' | 'intake'>
  /** Returns why nobody may come in; `null` if somebody may. */
  closedBy(): OverloadReason | null
}

export function acceptOf(accept: AcceptStep): Omit<Accept, 'flush'> {
  return {
    accept: (request, seen) => accept.accept(request, seen),
    acceptLarge: (request, source, seen) => accept.acceptLarge(request, source, seen),
    refuseUnread: (request, bodyBytes) => accept.refuseUnread(request, bodyBytes),
    countRefusal: (refusal) => accept.countRefusal(refusal),
    setDirectory: (directory) => accept.setDirectory(directory),
    changeDirectory: (change) => accept.changeDirectory(change),
  }
}

export class AcceptStep {
  readonly #parts: AcceptParts
  readonly #inflating: AcceptParts['inflating']
  readonly #auth = new AuthReader()
  readonly #bodies: BodyReader
  #directory: DirectoryIndex
  /** Large envelopes that are being read. */
  #largeOpen = 0

  constructor(parts: AcceptParts) {
    this.#parts = parts
    this.#inflating = parts.inflating
    this.#directory = indexDirectory(parts.directory)
    const { inflating, attachments, random } = parts
    this.#bodies = new BodyReader({ inflating, attachments, random, directory: () => this.#directory })
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
      if (this.#largeOpen >= max('largeBodiesMax') && source.makeRoom?.() !== true) throw refuseOverloaded()
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

  #finish(progress: Progress, taken: TakenBody): Promise<AcceptAnswer> {
    const { who, request } = progress
    if (who === null) throw authMissing()
    progress.inflatedBytes = 0
    return this.#parts.admissions.finish({ who, taken, request })
  }

  async admitRead({ publicKey, client, taken, request }: ReadElsewhere): Promise<AcceptAnswer> {
    const described = { ...UNDESCRIBED, ...request }
    const progress: Progress = { request: described, who: null, items: taken.items, inflatedBytes: 0 }
    try {
      // Its project may be gone since it was read, or its key disabled.
      const sender = this.#directory.sender(publicKey)
      if (sender === null) throw keyUnknown(`unknown key ${publicKey.slice(0, 8)}…`)
      const { key, project } = sender
      if (!key.isActive)
        throw keyUnknown(`disabled key ${publicKey.slice(0, 8)}…`, { projectId: project.id, keyId: key.id })
      progress.who = { sender, client }
      return await this.#finish(progress, taken)
    } catch (cause) {
      return this.#refuse(cause, progress)
    }
  }

  /** @throws what is no refusal */
  #refuse(cause: unknown, progress: Progress): AcceptAnswer {
    if (!(cause instanceof Refused)) throw cause
    if (progress.inflatedBytes > 0) this.#inflating.wasted(senderProgress(progress), progress.inflatedBytes)
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
      const closedBy = this.#parts.closedBy()
      if (closedBy !== null) throw refuseOverloaded(closedBy)
      this.#inflating.checkSender(senderProgress(progress))
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
      this.#parts.outcomes.count({
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

  /** Checks what can be checked before the body is read. */
  #begin(progress: Progress, seen: SeenSender | null): void {
    const { request } = progress
    // A body may take its time: what people changed meanwhile holds for it.
    if (seen !== null && seen.directory === this.#directory) progress.who = seen.who
    else this.#checkSender(progress)
    const closedBy = this.#parts.closedBy()
    if (closedBy !== null) {
      progress.who ??= this.#whoSends(request)
      throw refuseOverloaded(closedBy)
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

  /** Counts a refusal for the project it concerns, by the kinds of its items where those can be read. */
  #count(refused: Refused, progress: Progress): void {
    const { outcome, reason, example } = refused
    const quantities = refused.quantities ?? progress.items ?? this.#refusedItems(progress.request)
    for (const { category, quantity } of quantities.flatMap(quantitiesOf)) {
      this.#parts.outcomes.count({
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

/** A request of which another thread knows the rest. */
const UNDESCRIBED: AcceptRequest = {
  ...{ projectRef: null, format: 'envelope', query: new URLSearchParams(), body: NO_BODY, relay: null },
  ...{ sentryAuth: null, authorization: null, contentEncoding: null, contentType: null },
  ...{ origin: null, referer: null, userAgent: null, clientAddress: null },
}
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
