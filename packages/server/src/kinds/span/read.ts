/** Reads spans of every wire: normalise, scrub, what kind of request it was, and what of it is kept. */
import { categoryOf, OTLP_TRACES, ProtobufError } from '@errata/protocol'
import type { Fragment } from '#model/span.ts'
import { isSpanBatch, readSpanBatch } from '#normalize/spans/batch.ts'
import type { SpansAnswer, SpansContext } from '#normalize/spans/fragments.ts'
import { readOtlp } from '#normalize/spans/otlp.ts'
import { readOtlpProtobuf } from '#normalize/spans/otlp-protobuf.ts'
import { readStandaloneSpan } from '#normalize/spans/standalone.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import { scrubFragment } from '#scrub/fragment.ts'
import { type EnvelopeContext, type ItemAnswer, type ItemInput, onlyOutcome } from '../item.ts'
import { isPlainJson, readLenientJson } from '../lenient-json.ts'
import { normalizeContext } from '../normalize-context.ts'
import { type FragmentOwn, fragmentFacts } from './facts.ts'
import { type FragmentRow, SPAN } from './fields.ts'
import { parseSpans } from './parse-batch.ts'
import { isKept } from './sampling.ts'
import { storedSpans } from './stored-spans.ts'

export function readSpans(input: ItemInput): ItemAnswer {
  const { type, header, payload, envelope } = input
  const { category, quantity } = categoryOf(type, header)
  const context = contextOf(envelope)
  const read = isProtobuf(input) ? fromProtobuf(payload, context) : fromJson(type, payload, context)
  if (typeof read !== 'string') return answerOf(read, category, envelope)
  const example = `${type} of ${payload.length} bytes: ${read}`
  return onlyOutcome({ outcome: 'invalid', reason: read, category, quantity, example })
}

function isProtobuf({ type, header }: ItemInput): boolean {
  return type === OTLP_TRACES && header.content_type === 'application/x-protobuf'
}

/** What was read, or the reason why nothing could be. */
function fromJson(type: string, payload: Uint8Array, context: SpansContext): SpansAnswer | string {
  const isPlain = isPlainJson(payload)
  const raw = type === 'span' && isPlain ? parseSpans(payload) : readLenientJson(payload)
  if (raw === undefined) return 'invalid_json'
  const plain = { ...context, isPlain }
  if (type === 'transaction') return readTransaction(raw, plain)
  if (type === OTLP_TRACES) return readOtlp(raw, plain)
  return isSpanBatch(raw) ? readSpanBatch(raw, plain) : readStandaloneSpan(raw, plain)
}

function fromProtobuf(payload: Uint8Array, context: SpansContext): SpansAnswer | string {
  try {
    const { request, beyond } = readOtlpProtobuf(payload)
    return readOtlp(request, context, beyond)
  } catch (cause) {
    if (cause instanceof ProtobufError) return 'invalid_protobuf' // the caller counts it
    throw cause
  }
}

/** Rows of what was read, and outcomes of what could not be. */
function answerOf(read: SpansAnswer, category: string, envelope: EnvelopeContext): ItemAnswer {
  return {
    rows: read.fragments.map((fragment) => pendingRow(fragment, category, envelope)),
    outcomes: read.refused.map((refused) => ({ outcome: 'invalid', category, ...refused })),
  }
}

function pendingRow(fragment: Fragment, category: string, envelope: EnvelopeContext) {
  const { scrubber, clientAddress, keyId } = envelope
  const scrubbed = scrubFragment(fragment, scrubber, { clientAddress })
  const facts = fragmentFacts(scrubbed, envelope)
  const keeps = isKept(facts.row, envelope.spans.sampling)
  const row: FragmentRow = keeps ? facts.row : { ...facts.row, isSampledOut: true }
  const own: FragmentOwn = facts.own
  return {
    ...{ kind: SPAN, row, keyId, own },
    payload: keeps ? storedSpans(scrubbed, row.timestampMs) : new Uint8Array(),
    counts: { category, quantity: fragment.isTransaction ? 1 : fragment.spans.length },
  }
}

function contextOf(envelope: EnvelopeContext): SpansContext {
  return { ...normalizeContext(envelope), trace: envelope.header.trace }
}
