/**
 * The one reading of an envelope's framing, within this installation's bounds: accept answers by it, and process takes
 * the items apart by it again, so that the two cannot disagree.
 */
import { type EnvelopeAnswer, readEnvelope } from '@errata/protocol'
import { max } from '#limits/limits.ts'

const BOUNDS = {
  headerBytesMax: max('envelopeHeaderBytesMax'),
  itemHeaderBytesMax: max('itemHeaderBytesMax'),
  itemsMax: max('envelopeItemsMax'),
}

/** As a `Buffer`, whose search for the ends of lines takes a tenth of the time of a plain array's. */
export function readFraming(bytes: Uint8Array): EnvelopeAnswer {
  return readEnvelope(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), BOUNDS)
}
