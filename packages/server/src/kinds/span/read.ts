/** Reads spans of every wire: normalise, scrub, what kind of request it was, and what of it is kept. */
import type { Fragment } from '#model/span.ts'
import { isSpanBatch, readSpanBatch } from '#normalize/spans/batch.ts'
import type { SpansAnswer, SpansContext } from '#normalize/spans/fragments.ts'
import { readStandaloneSpan } from '#normalize/spans/standalone.ts'
import { readTransaction } from '#normalize/spans/transaction.ts'
import { scrubFragment } from '#scrub/fragment.ts'
import { type EnvelopeContext, type ItemAnswer, type ItemInput, onlyOutcome } from '../item.ts'
import { readLenientJson } from '../lenient-json.ts'
import { type FragmentOwn, fragmentFacts } from './facts.ts'
import { CATEGORY, type FragmentRow, SPAN, TRANSACTION_CATEGORY } from './fields.ts'
import { isKept } from './sampling.ts'
import { storedSpans } from './stored-spans.ts'

export function readSpans({ type, payload, envelope }: ItemInput): ItemAnswer {
  const category = type === 'transaction' ? TRANSACTION_CATEGORY : CATEGORY
  const raw = readLenientJson(payload)
  if (raw === undefined) {
    const example = `${type} of ${payload.length} bytes that is no JSON`
    return onlyOutcome({ outcome: 'invalid', reason: 'invalid_json', category, quantity: 1, example })
  }
  const context = contextOf(envelope)
  const read =
    type === 'transaction'
      ? readTransaction(raw, context)
      : isSpanBatch(raw)
        ? readSpanBatch(raw, context)
        : readStandaloneSpan(raw, context)
  return answerOf(read, category, envelope)
}

/** Rows of what was read, and outcomes of what could not be. */
export function answerOf(read: SpansAnswer, category: string, envelope: EnvelopeContext): ItemAnswer {
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

export function contextOf(envelope: EnvelopeContext): SpansContext {
  return {
    eventId: envelope.eventId,
    receivedMs: envelope.receivedMs,
    sentAt: envelope.header.sent_at ?? null,
    clientAddress: envelope.clientAddress,
    userAgent: envelope.userAgent,
    sdk: envelope.header.sdk,
    client: envelope.client,
    trace: envelope.header.trace,
  }
}
