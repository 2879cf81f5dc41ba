/** Reads the body of a request into what goes to the journal: envelope, store, OTLP and other signals. */
import {
  categoryOf,
  type Envelope,
  type EnvelopeAnswer,
  type OtlpContentType,
  otlpEnvelope,
  readEnvelopeHeader,
  readOtlpContentType,
} from '@errata/protocol'
import { readEventId } from '#base/ids.ts'
import type { Random } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { readFraming } from '#model/framing.ts'
import { ATTACHMENT_NAME } from '#model/large-item.ts'
import { type Attachments, type CameWith, LargeEnvelope, type Parted } from './attachments.ts'
import { authenticateDsn, checkDsn } from './authenticate.ts'
import type { Authenticated, DirectoryIndex } from './directory-index.ts'
import { readEncodings } from './inflate.ts'
import { type Inflated, type Inflating, refuseInflated } from './inflating.ts'
import { inflatedPieces, RawBody } from './large-body.ts'
import { brokenItems } from './lost-items.ts'
import {
  checkLimits,
  chooseEventId,
  type OutlineItem,
  outlineItems,
  readOutline,
  tooDeepItems,
} from './outline.ts'
import {
  authMissing,
  bodyTooLarge,
  encodingInvalid,
  envelopeInvalid,
  mediaTypeUnsupported,
  otlpInvalid,
  signalInvalid,
} from './refusal.ts'
import { type Signal, type SignalName, signalEnvelope, signalOf, takesMediaType } from './signals.ts'
import { readStoreBody } from './store-body.ts'
import { NO_ENCODINGS, NO_ITEMS, NOTHING, type TakenBody } from './taken.ts'
import type { AcceptRequest, LargeSource } from './types.ts'

/** State of a request on its way, so that a refusal is counted for the right project and kinds. */
export interface Progress {
  request: AcceptRequest
  who: Authenticated | null
  items: readonly OutlineItem[] | null
  /** Bytes inflated of its body and not read yet. */
  inflatedBytes: number
}

interface BodyReaderOptions {
  readonly inflating: Pick<Inflating, 'checkSender' | 'inflate'>
  readonly attachments: Pick<Attachments, 'part' | 'intake'>
  readonly random: Random
  /** Returns the directory as it is now: it changes while bodies are read. */
  directory(): DirectoryIndex
}

export class BodyReader {
  readonly #inflating: BodyReaderOptions['inflating']
  readonly #attachments: BodyReaderOptions['attachments']
  readonly #random: Random
  readonly #directory: () => DirectoryIndex

  constructor({ inflating, attachments, random, directory }: BodyReaderOptions) {
    this.#inflating = inflating
    this.#attachments = attachments
    this.#random = random
    this.#directory = directory
  }

  /** Returns what is sent; at once where the body is small. @throws Refused */
  take(progress: Progress): TakenBody | Promise<TakenBody> {
    if (isEnvelope(progress.request)) return this.#takeEnvelope(progress)
    if (progress.who === null) throw authMissing()
    const { format, signal } = progress.request
    if (signal !== undefined) return this.#takeSignal(progress, signal)
    return format === 'otlp' ? this.#takeOtlp(progress) : this.#takeStore(progress)
  }

  #takeEnvelope(progress: Progress): TakenBody | Promise<TakenBody> {
    const inflating = this.#inflate(progress)
    if (inflating instanceof Promise) return inflating.then((later) => this.#readEnvelope(progress, later))
    return this.#readEnvelope(progress, inflating)
  }

  #readEnvelope(progress: Progress, inflated: Inflated): TakenBody | Promise<TakenBody> {
    const { bytes, encodings } = inflated
    const answer = readFraming(bytes)
    if (!answer.ok) progress.items = brokenItems(bytes)
    // Whose it is comes before what is wrong with the rest of it.
    const header = envelopeHeader(answer, bytes)
    if (progress.who === null) progress.who = authenticateDsn(header.dsn, progress.request, this.#directory())
    else checkDsn(header.dsn, progress.who.sender)
    const envelope = readOutline(answer)
    const items = outlineItems(envelope)
    progress.items = items
    checkLimits(envelope, items)
    const { body, encodings: left } = journalBody(progress.request.body, { bytes, encodings })
    const taken: TakenBody = {
      format: 'envelope',
      body,
      encodings: left,
      eventId: chooseEventId(bytes, envelope, this.#random),
      items,
      tooDeep: tooDeepItems(bytes, envelope),
    }
    if (!items.some(({ type }) => type === ATTACHMENT_NAME)) return taken
    return partAttachments(taken, this.#attachments.part(bytes, envelope, progress.who.sender.project))
  }

  /** Returns what is sent by a body that is read as it comes; attachments go to the disk meanwhile. @throws Refused */
  async takeLarge(progress: Progress, source: LargeSource): Promise<TakenBody> {
    const { request } = progress
    const encodings = readEncodings(request.contentEncoding)
    if (encodings === null) throw encodingInvalid('too many content encodings')
    this.#inflating.checkSender(senderProgress(progress))
    const raw = new RawBody(encodings.length === 0 ? 0 : max('bodyBytesMax'))
    const reading = new LargeEnvelope({
      attachments: this.#attachments,
      onHeader: (header) => {
        if (progress.who === null) progress.who = authenticateDsn(header.dsn, request, this.#directory())
        else checkDsn(header.dsn, progress.who.sender)
        return progress.who.sender.project
      },
      onItems: (items) => {
        progress.items = items
      },
      onInflated: (bytes) => {
        if (encodings.length > 0) progress.inflatedBytes = bytes
        if (reading.hasAttachments) raw.drop()
      },
      isPacked: encodings.length > 0,
      hold: (bytes) => source.hold(bytes + raw.bytes),
    })
    const read = await reading.read(inflatedPieces(raw.kept(source.pieces), encodings))
    if (read.attachments === null) {
      // As any other: a large body without attachments goes to the journal as it came.
      const bytes = encodings.length === 0 ? read.body : raw.whole()
      if (bytes === null || bytes.length > max('bodyBytesMax')) throw bodyTooLarge()
      progress.request = { ...request, body: bytes }
      return this.#readEnvelope(progress, { bytes: read.body, encodings })
    }
    try {
      if (read.body.length > max('bodyBytesMax')) throw bodyTooLarge()
      return this.#readParted(progress, { ...read.attachments, body: read.body })
    } catch (cause) {
      await read.attachments.intake.discard()
      throw cause
    }
  }

  /** Reads an envelope whose attachments are on the disk. */
  #readParted(progress: Progress, { body, ...attachments }: Parted): TakenBody {
    const envelope = readOutline(readFraming(body))
    const items = outlineItems(envelope, lengthsOf(attachments))
    progress.items = items
    checkLimits(envelope, items)
    const random = this.#random
    return {
      ...{ format: 'envelope', body, encodings: NO_ENCODINGS, items, attachments },
      eventId: chooseEventId(body, envelope, random),
      tooDeep: tooDeepItems(body, envelope),
    }
  }

  #takeStore(progress: Progress): TakenBody | Promise<TakenBody> {
    const inflating = this.#inflate(progress)
    if (inflating instanceof Promise) return inflating.then((later) => this.#readStore(progress, later))
    return this.#readStore(progress, inflating)
  }

  #readStore(progress: Progress, { bytes, encodings }: Inflated): TakenBody {
    const event = readStoreBody(bytes)
    const isTransaction = event.fields.type === 'transaction'
    const item = isTransaction
      ? { index: 0, type: 'transaction', category: 'transaction', quantity: 1 }
      : { index: 0, type: 'event', category: 'error', quantity: 1 }
    progress.items = [item]
    const unwrapped = { body: event.bytes, encodings: [] }
    return {
      format: 'store',
      ...(event.isUnwrapped ? unwrapped : journalBody(progress.request.body, { bytes, encodings })),
      eventId: readEventId(event.fields.event_id) ?? this.#random.hex(16),
      items: [item],
      tooDeep: NO_ITEMS,
    }
  }

  #takeOtlp(progress: Progress): TakenBody | Promise<TakenBody> {
    const { request } = progress
    const contentType = readOtlpContentType(request.contentType)
    if (contentType === null) throw mediaTypeUnsupported()
    if (request.body.length === 0) return NOTHING
    const inflating = this.#inflate(progress)
    if (!(inflating instanceof Promise)) return this.#readOtlp(progress, inflating, contentType)
    return inflating.then((later) => this.#readOtlp(progress, later, contentType))
  }

  /** From here on it is an envelope like any other. */
  #readOtlp(progress: Progress, { bytes }: Inflated, contentType: OtlpContentType): TakenBody {
    if (bytes.length > max('otlpBytesMax')) throw refuseInflated('otlpBytesMax', 'an OTLP export')
    const body = otlpEnvelope(bytes, contentType, max('otlpFieldsCountedMax'))
    if (body === null) throw otlpInvalid(contentType)
    const envelope = readOutline(readFraming(body))
    const items = outlineItems(envelope)
    progress.items = items
    checkLimits(envelope, items)
    return { format: 'envelope', body, encodings: NO_ENCODINGS, eventId: null, items, tooDeep: NO_ITEMS }
  }

  #takeSignal(progress: Progress, name: SignalName): TakenBody | Promise<TakenBody> {
    const { contentType, body } = progress.request
    const signal = signalOf(name)
    if (!takesMediaType(signal, contentType))
      throw mediaTypeUnsupported(`this address takes ${signal.mediaTypes?.join(', ')}`)
    if (signal.count === undefined) return this.#readSignal(progress, signal, 1)
    if (body.length === 0) return NOTHING
    const { count } = signal
    const read = ({ bytes }: Inflated) => this.#readSignal(progress, signal, count(bytes, contentType))
    const inflating = this.#inflate(progress)
    return inflating instanceof Promise ? inflating.then(read) : read(inflating)
  }

  /** From here on it is an envelope with an item of a kind without a store. */
  #readSignal(progress: Progress, signal: Signal, quantity: number | null): TakenBody {
    if (quantity === null) throw signalInvalid([categoryOf(signal.itemType, {})])
    if (quantity === 0) return NOTHING
    const body = signalEnvelope(signal, quantity)
    const items = outlineItems(readOutline(readFraming(body)))
    progress.items = items
    const eventId = this.#random.hex(16)
    return {
      format: 'envelope',
      body,
      encodings: NO_ENCODINGS,
      eventId,
      items,
      tooDeep: NO_ITEMS,
      isSignal: true,
    }
  }

  #inflate(progress: Progress): Inflated | Promise<Inflated> {
    const { contentEncoding, body } = progress.request
    if (contentEncoding === null && body.length > 0) return { bytes: body, encodings: NO_ENCODINGS }
    const inflating = this.#inflating.inflate(senderProgress(progress), body)
    if (inflating instanceof Promise) return inflating.then((later) => noteInflated(later, progress))
    return noteInflated(inflating, progress)
  }
}

/** Takes the attachments out of an envelope that is otherwise read. */
async function partAttachments(taken: TakenBody, parting: Promise<Parted>): Promise<TakenBody> {
  const { body, ...attachments } = await parting
  return { ...taken, body, encodings: NO_ENCODINGS, attachments }
}

function lengthsOf({ intake }: CameWith): ReadonlyMap<number, number> {
  return new Map(intake.arrived.map(({ index, bytes }) => [index, bytes]))
}

export function isEnvelope(request: Pick<AcceptRequest, 'format' | 'contentType'>): boolean {
  if (request.format !== 'store') return request.format === 'envelope'
  return request.contentType?.toLowerCase().startsWith('application/x-sentry-envelope') === true
}

export function senderProgress({ request, who }: Progress) {
  return { request, sender: who?.sender ?? null }
}

function noteInflated(inflated: Inflated, progress: Progress): Inflated {
  if (inflated.encodings.length > 0) progress.inflatedBytes = inflated.bytes.length
  return inflated
}

/** Chooses the journal's bytes: small bodies inflated, others as received. */
function journalBody(
  body: Uint8Array,
  { bytes, encodings }: Inflated,
): Pick<TakenBody, 'body' | 'encodings'> {
  const isSmall = bytes.length <= max('journalInflatedBytesMax')
  return isSmall ? { body: bytes, encodings: NO_ENCODINGS } : { body, encodings }
}

/** @throws Refused when not even the first line can be read. */
function envelopeHeader(answer: EnvelopeAnswer, bytes: Uint8Array): Envelope['header'] {
  if (answer.ok) return answer.envelope.header
  const first = readEnvelopeHeader(bytes)
  if (!first.ok) throw envelopeInvalid(first.problem.cause)
  return first.header
}
