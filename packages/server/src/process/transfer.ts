/**
 * How a batch crosses threads: one buffer, so that both hops (process → main → commit) move or copy bytes and clone
 * no objects. Rows as one JSON text: for 500 events stringify and parse cost 5 µs an event together, where a
 * structured clone of the same objects cost 9 µs at each hop.
 *
 *   u32le length of the text · text (UTF-8 JSON: everything but the bytes) · compressed blocks · quarantined bodies
 */
import type { PayloadBlock, ProcessedBatch, QuarantinedEnvelope } from './batch.ts'

/** Plain data; its buffer is its own and may be transferred. */
export interface PackedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface PackedText extends Omit<ProcessedBatch, 'blocks' | 'quarantined'> {
  readonly blocks: readonly (Omit<PayloadBlock, 'compressed'> & { readonly length: number })[]
  readonly quarantined: readonly (Omit<QuarantinedEnvelope, 'body'> & { readonly length: number })[]
}

const LENGTH_BYTES = 4

/** `transfer` is what `postMessage` takes as its second argument: afterwards the message is empty here. */
export function packBatch(batch: ProcessedBatch): { message: PackedBatch; transfer: ArrayBuffer[] } {
  const text: PackedText = {
    ...batch,
    blocks: batch.blocks.map(({ compressed, ...rest }) => ({ ...rest, length: compressed.length })),
    quarantined: batch.quarantined.map(({ body, ...rest }) => ({ ...rest, length: body.length })),
  }
  const head = Buffer.from(JSON.stringify(text))
  const tails = [
    ...batch.blocks.map((block) => block.compressed),
    ...batch.quarantined.map((one) => one.body),
  ]
  const total = LENGTH_BYTES + head.length + tails.reduce((sum, tail) => sum + tail.length, 0)
  const buffer = new ArrayBuffer(total)
  const bytes = new Uint8Array(buffer)
  new DataView(buffer).setUint32(0, head.length, true)
  bytes.set(head, LENGTH_BYTES)
  let at = LENGTH_BYTES + head.length
  for (const tail of tails) {
    bytes.set(tail, at)
    at += tail.length
  }
  return { message: { bytes }, transfer: [buffer] }
}

/** The batch; its blocks are views of the message's buffer. */
export function unpackBatch({ bytes }: PackedBatch): ProcessedBatch {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + LENGTH_BYTES, length).toString('utf8')
  // Written by `packBatch` of the same build, in another thread of this process.
  const text = JSON.parse(head) as PackedText
  let at = LENGTH_BYTES + length
  const take = (size: number): Uint8Array => {
    at += size
    return bytes.subarray(at - size, at)
  }
  return {
    ...text,
    blocks: text.blocks.map(({ length: size, ...rest }) => ({ ...rest, compressed: take(size) })),
    quarantined: text.quarantined.map(({ length: size, ...rest }) => ({ ...rest, body: take(size) })),
  }
}
