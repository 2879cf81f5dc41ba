/**
 * How a batch crosses threads: one buffer, so that both hops (process → main → commit) move or copy bytes and clone
 * no objects. Measured on 400 events of one batch, two busy cores, Node 24.21: 23 µs an event for writing and reading
 * the text together, against 36 µs for a structured clone of the same objects, which each hop would pay again.
 *
 *   u32le length of the text · text (UTF-8 JSON: everything but the bytes) · compressed blocks · quarantined bodies
 */
import { assert } from '#base/errors.ts'
import type {
  GroupFacts,
  PayloadBlock,
  ProcessedBatch,
  ProcessedEvent,
  QuarantinedEnvelope,
} from './batch.ts'

/** Plain data; its buffer is its own and may be transferred. */
export interface PackedBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface PackedText extends Omit<ProcessedBatch, 'events' | 'blocks' | 'quarantined'> {
  /** Facts once a group, those of its newest event: the commit keeps no others, and they are half of the text. */
  readonly facts: readonly GroupFacts[]
  readonly events: readonly (Omit<ProcessedEvent, 'facts'> & { readonly facts: number })[]
  readonly blocks: readonly (Omit<PayloadBlock, 'compressed'> & { readonly length: number })[]
  readonly quarantined: readonly (Omit<QuarantinedEnvelope, 'body'> & { readonly length: number })[]
}

const LENGTH_BYTES = 4

/** `transfer` is what `postMessage` takes as its second argument: afterwards the message is empty here. */
export function packBatch(batch: ProcessedBatch): { message: PackedBatch; transfer: ArrayBuffer[] } {
  const text: PackedText = {
    ...batch,
    ...factsByGroup(batch.events),
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
  const { facts, ...rest } = text
  return {
    ...rest,
    events: text.events.map((event) => ({ ...event, facts: factsAt(facts, event.facts) })),
    blocks: text.blocks.map(({ length: size, ...rest }) => ({ ...rest, compressed: take(size) })),
    quarantined: text.quarantined.map(({ length: size, ...rest }) => ({ ...rest, body: take(size) })),
  }
}

function factsByGroup(events: readonly ProcessedEvent[]): Pick<PackedText, 'facts' | 'events'> {
  const places = new Map<string, number>()
  const newest: ProcessedEvent[] = []
  const packed = events.map((event) => {
    const key = `${event.row.projectId} ${event.row.groupHash}`
    const place = places.get(key) ?? newest.length
    places.set(key, place)
    const before = newest[place]
    if (before === undefined || event.row.timestampMs >= before.row.timestampMs) newest[place] = event
    return { ...event, facts: place }
  })
  return { facts: newest.map((event) => event.facts), events: packed }
}

function factsAt(facts: readonly GroupFacts[], place: number): GroupFacts {
  const found = facts[place]
  assert(found !== undefined, 'every event names the facts of its group')
  return found
}
