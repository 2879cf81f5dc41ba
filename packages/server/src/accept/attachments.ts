/** Attachments of envelopes: taken out of their body, written, and named once their envelope is admitted. */
import {
  categoryOf,
  type Envelope,
  EnvelopeBroken,
  type EnvelopePart,
  EnvelopeStream,
  type HeaderFields,
  joinBytes,
} from '@errata/protocol'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { dayOf } from '#base/ids.ts'
import { MIB } from '#limits/limit.ts'
import { max } from '#limits/limits.ts'
import { retentionClassOf } from '#model/file-name.ts'
import { ATTACHMENT_NAME, attachmentId, largeName, type SetAside } from '#model/large-item.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { Project } from '#ports/projects.ts'
import { AttachmentIntake, onDisk } from './attachment-intake.ts'
import { refuseInflated } from './inflating.ts'
import type { OutlineItem } from './outline.ts'
import { bodyTooLarge, envelopeInvalid, refuseOverloaded } from './refusal.ts'

/** Attachments that came with an envelope. */
export interface CameWith {
  readonly intake: AttachmentIntake
  readonly headers: ReadonlyMap<number, HeaderFields>
}

/** Body without what was put aside. */
export interface Parted extends CameWith {
  readonly body: Uint8Array
}

export class Attachments {
  readonly #blobs: LargeBlobs
  readonly #clock: Clock
  /** Bytes taken by project since its day began. A restart forgets them, as it does rate limits. */
  readonly #taken = new Map<number, { endsMs: number; bytes: number }>()

  constructor({ blobs, clock }: { readonly blobs: LargeBlobs; readonly clock: Clock }) {
    this.#blobs = blobs
    this.#clock = clock
  }

  intake(project: Project): AttachmentIntake {
    const { attachments } = project.options
    return new AttachmentIntake({
      blobs: this.#blobs,
      isWanted: attachments,
      isOverQuota: (bytes) => this.#isOverQuota(project, bytes),
    })
  }

  /** Takes the attachments out of a body that is in memory. */
  async part(bytes: Uint8Array, envelope: Envelope, project: Project): Promise<Parted> {
    const intake = this.intake(project)
    const headers = new Map<number, HeaderFields>()
    const rest = new RestOfEnvelope()
    rest.header(envelope.header)
    try {
      for (const item of envelope.items) {
        const payload = bytes.subarray(item.start, item.end)
        if (item.type !== ATTACHMENT_NAME) {
          rest.item({ ...item.header, length: payload.length }, payload)
          continue
        }
        headers.set(item.index, item.header)
        rest.item({ ...item.header, length: 0 }, null)
        await intake.begin(item.index, payload.length)
        await intake.append(payload)
        await intake.end()
      }
    } catch (cause) {
      await intake.discard()
      throw cause
    }
    return { intake, headers, body: rest.body() }
  }

  /**
   * Gives what was taken its names, but for the items at `skipped`. Their day and class are those of the project's period
   * for attachments. @throws Refused when the disk takes nothing: then nothing has a name
   */
  async name(
    { intake, headers }: CameWith,
    of: { readonly project: Project; readonly eventId: string; readonly skipped: readonly number[] },
  ): Promise<readonly SetAside[]> {
    const { project, eventId, skipped } = of
    const retentionDays = retentionClassOf(project.options.attachmentRetentionDays)
    const file = { kind: ATTACHMENT_NAME, day: dayOf(this.#clock.now()), retentionDays }
    const named: SetAside[] = []
    const times = new Map<string, number>()
    try {
      for (const { index, taken, bytes } of intake.arrived) {
        if (taken === null || skipped.includes(index)) continue
        const { filename, attachment_type: type } = headers.get(index) ?? {}
        const same = JSON.stringify([filename, type, taken.sha256])
        const nth = times.get(same) ?? 0
        times.set(same, nth + 1)
        const id = attachmentId({ eventId, filename, type, sha256: taken.sha256, nth })
        const name = largeName({ file, projectId: project.id, id })
        await onDisk(taken.writer.keep(name))
        named.push({ index, name, bytes, sha256: taken.sha256 })
      }
    } catch (cause) {
      await intake.discard()
      // Those with a name are swept: another envelope may have named the same by now.
      throw cause
    }
    await intake.discard()
    this.#count(project, named)
    return named
  }

  #isOverQuota(project: Project, bytes: number): boolean {
    const quota = project.options.attachmentDailyMegabytes
    return quota !== null && this.#window(project).bytes + bytes > quota * MIB
  }

  #count(project: Project, named: readonly SetAside[]): void {
    const window = this.#window(project)
    for (const { bytes } of named) window.bytes += bytes
  }

  #window({ id }: Project): { endsMs: number; bytes: number } {
    const nowMs = this.#clock.elapsed()
    const known = this.#taken.get(id)
    if (known !== undefined && known.endsMs > nowMs) return known
    const begun = { endsMs: nowMs + DAY_MS, bytes: 0 }
    this.#taken.delete(id)
    this.#taken.set(id, begun)
    const oldest = this.#taken.keys().next()
    if (this.#taken.size > max('rateWindowsMax') && !oldest.done) this.#taken.delete(oldest.value)
    return begun
  }
}

/** An envelope without the payloads that were put aside. */
class RestOfEnvelope {
  readonly #pieces: Uint8Array[] = []
  bytes = 0

  header(header: HeaderFields): void {
    this.add(Buffer.from(`${JSON.stringify(header)}\n`))
  }

  item(header: HeaderFields, payload: Uint8Array | null): void {
    this.header(header)
    if (payload !== null) this.add(payload)
    this.add(NEWLINE)
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.bytes += piece.length
  }

  body(): Uint8Array {
    return joinBytes(this.#pieces)
  }
}

const NEWLINE = new Uint8Array([0x0a])

/** Body of a large envelope, read as it came. */
export interface ReadLargeEnvelope {
  /** All of it but payloads that were put aside. */
  readonly body: Uint8Array
  /** `null`: it held none, `body` is what was sent, but for the spelling of its headers. */
  readonly attachments: CameWith | null
}

interface ReadingOptions {
  readonly attachments: Pick<Attachments, 'intake'>
  /** Called with the first line. @throws Refused for who may not send */
  readonly onHeader: (header: HeaderFields) => Project
  /** Told of each item, and again when an attachment has ended. */
  readonly onItems: (items: readonly OutlineItem[]) => void
  readonly onInflated: (bytes: number) => void
  /** True if the body has codings: then what is left of it may be larger than what came. */
  readonly isPacked: boolean
  /** Reserves memory; false if there is none. */
  readonly hold: (bytes: number) => boolean
}

/** Reads an envelope piece by piece, its attachments straight to the disk. */
export class LargeEnvelope {
  readonly #options: ReadingOptions
  readonly #rest = new RestOfEnvelope()
  readonly #headers = new Map<number, HeaderFields>()
  readonly #items: OutlineItem[] = []
  #intake: AttachmentIntake | null = null
  #project: Project | null = null
  #isAttachment = false
  #inflated = 0

  constructor(options: ReadingOptions) {
    this.#options = options
  }

  /** True once an attachment has begun. */
  get hasAttachments(): boolean {
    return this.#intake !== null
  }

  /** @throws Refused; then nothing that was written stays */
  async read(pieces: AsyncIterable<Uint8Array>): Promise<ReadLargeEnvelope> {
    const stream = new EnvelopeStream({
      headerBytesMax: max('envelopeHeaderBytesMax'),
      itemHeaderBytesMax: max('itemHeaderBytesMax'),
      itemsMax: max('envelopeItemsMax'),
    })
    try {
      for await (const piece of pieces) {
        this.#inflated += piece.length
        this.#options.onInflated(this.#inflated)
        if (this.#inflated > max('largeBodyBytesMax'))
          throw refuseInflated('largeBodyBytesMax', 'request body')
        await this.#takeAll(stream.push(piece))
      }
      await this.#takeAll(stream.end())
    } catch (cause) {
      await this.#intake?.discard()
      throw cause instanceof EnvelopeBroken ? envelopeInvalid(cause.problem.cause) : cause
    }
    const intake = this.#intake
    return {
      body: this.#rest.body(),
      attachments: intake === null ? null : { intake, headers: this.#headers },
    }
  }

  async #takeAll(parts: Iterable<EnvelopePart>): Promise<void> {
    // Whatever is only kept in memory is taken without a turn of the queue for each part.
    for (const part of parts) {
      const written = this.#take(part)
      if (written !== null) await written
    }
    const { isPacked, hold } = this.#options
    if (!isPacked && this.#rest.bytes > max('bodyBytesMax')) throw bodyTooLarge()
    if (this.#rest.bytes > max('bodyInflatedBytesMax'))
      throw refuseInflated('bodyInflatedBytesMax', 'request body')
    if (!hold(this.#rest.bytes)) throw refuseOverloaded()
  }

  #take(part: EnvelopePart): Promise<void> | null {
    switch (part.kind) {
      case 'header':
        this.#project = this.#options.onHeader(part.header)
        this.#rest.header(part.header)
        return null
      case 'item':
        return this.#beginItem(part)
      case 'bytes':
        if (this.#isAttachment) return this.#intake?.append(part.bytes) ?? null
        this.#rest.add(part.bytes)
        return null
      case 'end':
        this.#rest.add(NEWLINE)
        return this.#isAttachment ? this.#endAttachment() : null
    }
  }

  #beginItem({
    index,
    type,
    header,
    length,
  }: EnvelopePart & { readonly kind: 'item' }): Promise<void> | null {
    this.#isAttachment = type === ATTACHMENT_NAME
    const item = { index, type, ...categoryOf(type, header) }
    // The sender's word, until it has come.
    const said = { bytes: Math.min(length ?? 0, max('attachmentBytesMax')) }
    this.#items.push(this.#isAttachment ? { ...item, ...said } : item)
    this.#options.onItems(this.#items)
    if (!this.#isAttachment || this.#project === null) {
      this.#rest.header(header)
      return null
    }
    this.#headers.set(index, header)
    this.#rest.header({ ...header, length: 0 })
    this.#intake ??= this.#options.attachments.intake(this.#project)
    return this.#intake.begin(index, length)
  }

  async #endAttachment(): Promise<void> {
    await this.#intake?.end()
    const arrived = this.#intake?.arrived.at(-1)
    const last = this.#items.at(-1)
    if (arrived !== undefined && last !== undefined) {
      this.#items[this.#items.length - 1] = { ...last, bytes: arrived.bytes }
    }
  }
}
