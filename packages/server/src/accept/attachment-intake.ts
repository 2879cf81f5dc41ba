/** Attachments of one envelope on their way to the disk: which of them are taken, and what was written. */
import { ErrataError } from '#base/errors.ts'
import { max } from '#limits/limits.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { BlobWriter, LargeBlobs } from '#ports/blobs.ts'
import { refuseOverloaded } from './refusal.ts'

/** Why an attachment is not taken, while the rest of its envelope is. */
export interface LeftOutAttachment {
  readonly outcome: OutcomeName
  readonly reason: string
}

/** An attachment that has come whole. */
export interface ArrivedAttachment {
  /** Place of the item in its envelope. */
  readonly index: number
  /** Length as it came, whether or not it was taken. */
  readonly bytes: number
  readonly taken: { readonly writer: BlobWriter; readonly sha256: string } | null
  /** `null` for one that was taken. */
  readonly leftOut: LeftOutAttachment | null
}

export interface IntakeOptions {
  readonly blobs: Pick<LargeBlobs, 'begin'>
  /** False: the project wants none. */
  readonly isWanted: boolean
  /** True if so many bytes more are beyond what the project takes a day. */
  readonly isOverQuota: (bytes: number) => boolean
}

const OFF: LeftOutAttachment = { outcome: 'filtered', reason: 'attachments_off' }
const TOO_MANY: LeftOutAttachment = { outcome: 'invalid', reason: 'too_many_attachments' }
const TOO_LARGE: LeftOutAttachment = { outcome: 'invalid', reason: 'too_large' }
const OVER_QUOTA: LeftOutAttachment = { outcome: 'rate_limited', reason: 'attachment_quota' }

/** Takes one after the other; each call waits for the one before. */
export class AttachmentIntake {
  readonly #options: IntakeOptions
  readonly #arrived: ArrivedAttachment[] = []
  #open: {
    readonly index: number
    bytes: number
    writer: BlobWriter | null
    leftOut: LeftOutAttachment | null
  } | null = null
  #count = 0
  /** Bytes of all attachments that are taken. */
  #bytes = 0

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  get arrived(): readonly ArrivedAttachment[] {
    return this.#arrived
  }

  /** `length` as the header states it; `null` where it does not. @throws Refused when the disk takes nothing */
  async begin(index: number, length: number | null): Promise<void> {
    this.#count++
    const leftOut = this.#leftOut(length)
    const writer = leftOut === null ? await onDisk(this.#options.blobs.begin()) : null
    this.#open = { index, bytes: 0, writer, leftOut }
  }

  /** @throws Refused when the disk takes nothing */
  async append(bytes: Uint8Array): Promise<void> {
    const open = this.#open
    if (open === null) return
    open.bytes += bytes.length
    if (open.writer === null) return
    this.#bytes += bytes.length
    const leftOut = this.#bytes > max('attachmentBytesMax') ? TOO_LARGE : this.#overQuota()
    if (leftOut !== null) {
      this.#bytes -= open.bytes
      await open.writer.discard()
      open.writer = null
      open.leftOut = leftOut
      return
    }
    await onDisk(open.writer.append(bytes))
  }

  /** @throws Refused when the disk takes nothing */
  async end(): Promise<void> {
    const open = this.#open
    if (open === null) return
    const { index, bytes, writer, leftOut } = open
    const sealed = writer === null ? null : await onDisk(writer.seal())
    this.#open = null
    const taken = writer === null || sealed === null ? null : { writer, sha256: sealed.sha256 }
    this.#arrived.push({ index, bytes, taken, leftOut })
  }

  /** Removes whatever has no name yet. */
  async discard(): Promise<void> {
    await this.#open?.writer?.discard()
    for (const { taken } of this.#arrived) await taken?.writer.discard()
  }

  #leftOut(length: number | null): LeftOutAttachment | null {
    if (!this.#options.isWanted) return OFF
    if (this.#count > max('attachmentsMax')) return TOO_MANY
    if (this.#bytes + (length ?? 0) > max('attachmentBytesMax')) return TOO_LARGE
    return this.#overQuota(length ?? 0)
  }

  #overQuota(more = 0): LeftOutAttachment | null {
    return this.#options.isOverQuota(this.#bytes + more) ? OVER_QUOTA : null
  }
}

/** A disk that is full, or fails, takes no envelope either: the client is told to come again. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof ErrataError) throw cause
    throw refuseOverloaded()
  }
}
