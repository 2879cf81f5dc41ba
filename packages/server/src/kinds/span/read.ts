/** Reads spans of every wire: parse, normalise, scrub, what kind of request it was, and what of it is kept. */

import { hash } from 'node:crypto'
import { categoryOf, OTLP_TRACES, ProtobufError } from '@errata/protocol'
import { max } from '#limits/limits.ts'
import type { Outcome } from '#model/outcome.ts'
import type { Fragment } from '#model/span.ts'
import { isSpanBatch, readSpanBatch } from '#normalize/spans/batch.ts'
import type { SpansAnswer, SpansContext } from '#normalize/spans/fragments.ts'
import { type OtlpAnswer, readOtlp } from '#normalize/spans/otlp.ts'
import { readOtlpProtobuf } from '#normalize/spans/otlp-protobuf.ts'
import { mayBeSpelledOtherwise, respellKeys } from '#normalize/spans/otlp-spelling.ts'
import { readStandaloneSpan } from '#normalize/spans/standalone.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import type { SpanSampling } from '#ports/projects.ts'
import { scrubFragment } from '#scrub/fragment.ts'
import { accepted, type EnvelopeContext, type ItemInput, type ItemSteps, refused, stored } from '../item.ts'
import { hasTooManyValues, isPlainJson, readLenientJson } from '../lenient-json.ts'
import { normalizeContext } from '../normalize-context.ts'
import { fragmentFacts } from './facts.ts'
import { type FragmentRow, SPAN } from './fields.ts'
import { parseSpans } from './parse-batch.ts'
import { storedSpans } from './stored-spans.ts'

export function* readSpans(input: ItemInput): ItemSteps {
  const { type, header, payload, envelope } = input
  const { clientAddress, keyId, scrubber, spans: rules } = envelope
  const { category, quantity } = categoryOf(type, header)
  let parsed: Parsed | string = isProtobuf(input) ? parsedProtobuf(payload) : parseSpansJson(type, payload)
  if (typeof parsed === 'string') {
    const example = `${type} of ${payload.length} bytes: ${parsed}`
    return refused({ outcome: 'invalid', reason: parsed, category, quantity, example })
  }
  yield
  const {
    fragments,
    refused: broken,
    exceptions = [],
    exceptionsBeyond = 0,
  } = readParsedSpans(parsed, type, envelope)
  parsed = '' // many are read together: what was parsed need not outlive the steps after it
  yield
  const scrubbed = fragments.map((fragment) => scrubFragment(fragment, scrubber, { clientAddress }))
  yield
  const found = scrubbed.map((fragment) => ({ fragment, ...fragmentFacts(fragment, envelope) }))
  yield
  const rows = found.map(({ fragment, row: whole, own }) => {
    const keeps = isSpanSampled(whole, rules.sampling)
    const row: FragmentRow = keeps ? whole : { ...whole, isSampledOut: true }
    const payload = keeps ? storedSpans(fragment, row.timestampMs) : new Uint8Array()
    return {
      kind: SPAN,
      row,
      keyId,
      own,
      payload,
      counts: { category, quantity: fragmentQuantity(fragment) },
    }
  })
  const invalid = broken.map((one) => ({ outcome: 'invalid', category, ...one }) as const)
  const outcomes = [...invalid, ...tooManyExceptions(exceptionsBeyond)]
  const made = exceptions.map((event) => ({ type: 'event', payload: Buffer.from(JSON.stringify(event)) }))
  // A container without spans, or an export of nothing, as exporters send it when they begin.
  if (rows.length + outcomes.length + made.length === 0) return accepted([])
  return stored({ rows, outcomes, made })
}

function tooManyExceptions(quantity: number): readonly Outcome[] {
  if (quantity === 0) return []
  const example = `OpenTelemetry export with more than ${max('otlpExceptionsMax')} exceptions`
  return [{ outcome: 'invalid', reason: 'too_large', category: 'error', quantity, example }]
}

function isProtobuf({ type, header }: ItemInput): boolean {
  return type === OTLP_TRACES && header.content_type === 'application/x-protobuf'
}

interface Parsed {
  readonly raw: unknown
  /** Without an escape that could write a NUL or half of a surrogate pair. */
  readonly isPlain: boolean
  /** Spans that were left out already. */
  readonly beyond: number
}

/** Returns what was sent, or the reason why it cannot be read. */
function parseSpansJson(type: string, payload: Uint8Array): Parsed | string {
  if (hasTooManyValues(payload)) return 'too_large'
  const isPlain = isPlainJson(payload)
  const read = type === 'span' && isPlain ? parseSpans(payload) : readLenientJson(payload)
  const raw = type === OTLP_TRACES && mayBeSpelledOtherwise(payload) ? respellKeys(read) : read
  return raw === undefined ? 'invalid_json' : { raw, isPlain, beyond: 0 }
}

function parsedProtobuf(payload: Uint8Array): Parsed | string {
  try {
    const { request, beyond } = readOtlpProtobuf(payload)
    return { raw: request, isPlain: false, beyond }
  } catch (cause) {
    if (cause instanceof ProtobufError) return 'invalid_protobuf' // the caller counts it
    throw cause
  }
}

function readParsedSpans(
  { raw, isPlain, beyond }: Parsed,
  type: string,
  envelope: EnvelopeContext,
): SpansAnswer & Partial<OtlpAnswer> {
  const context: SpansContext = { ...normalizeContext(envelope), trace: envelope.header.trace, isPlain }
  if (type === 'transaction') return readTransaction(raw, context)
  if (type === OTLP_TRACES) return readOtlp(raw, context, beyond)
  return isSpanBatch(raw) ? readSpanBatch(raw, context) : readStandaloneSpan(raw, context)
}

/** Returns what a fragment counts as, under the category it came under. */
function fragmentQuantity({ isTransaction, spans }: Pick<Fragment, 'isTransaction' | 'spans'>): number {
  return isTransaction ? 1 : spans.length
}

/** Everything of a trace is kept or left out together, but for what failed and what was slow. */
export function isSpanSampled(
  row: Pick<FragmentRow, 'traceId' | 'end' | 'status' | 'durationMs'>,
  sampling: SpanSampling | null,
): boolean {
  if (sampling === null || row.durationMs >= sampling.slowMs) return true
  if (row.end === 'failed' || row.end === 'failed-behind-200') return true
  if (row.status !== 'ok' && row.status !== 'cancelled' && row.end === null) return true
  const drawn = hash('sha256', row.traceId, 'buffer').readUInt32BE(0) / 2 ** 32
  return drawn < sampling.share
}
