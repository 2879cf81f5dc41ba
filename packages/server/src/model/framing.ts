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

export function readFraming(bytes: Uint8Array): EnvelopeAnswer {
  return readEnvelope(bytes, BOUNDS)
}
