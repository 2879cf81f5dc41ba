/** A deterministic corpus: event `number` of a spec is the same on every machine, and no two are the same. */
import { gzipSync } from 'node:zlib'
import { eventIdOf, LARGE, makeErrorEvent, SMALL } from './error-event.ts'
import { diceOf, mix } from './random.ts'
import { makeSpanBatch, SPANS_PER_BATCH } from './span-batch.ts'
import { makeStack } from './stacks.ts'
import { makeTransaction } from './transaction.ts'

/** Few, 400 or only different stacks. */
export type Stacks = number | 'all'
export type CorpusKind = 'error-5k' | 'error-18k' | 'transaction-28k' | 'spans-30k'

export interface CorpusSpec {
  readonly kind: CorpusKind
  readonly stacks: Stacks
  readonly seed: number
  /** Browser events of minified files: of the build whose maps are uploaded, or of one whose maps never were. */
  readonly build?: 'uploaded' | 'unknown'
}

export interface CorpusEvent {
  readonly id: string
  /** The event alone, as JSON. */
  readonly json: string
}

const SHAPES = { 'error-5k': SMALL, 'error-18k': LARGE } as const

/** `atMs`: when it happened, milliseconds since 1970. */
export function corpusEvent(spec: CorpusSpec, number: number, atMs: number): CorpusEvent {
  const { kind, seed } = spec
  const id = eventIdOf(seed, number)
  if (kind === 'transaction-28k')
    return { id, json: JSON.stringify(makeTransaction({ seed, number, id, atMs })) }
  if (kind === 'spans-30k') return { id, json: JSON.stringify(makeSpanBatch({ seed, number, atMs })) }
  const stackNumber = stackNumberOf(spec, number)
  const { build } = spec
  const shapes = SHAPES[kind].filter(({ side }) => build === undefined || side === 'browser')
  // By the stack, so that one group has one shape.
  const shape = shapes[stackNumber % shapes.length] ?? SMALL[0]
  if (shape === undefined) throw new Error('a corpus has at least one shape')
  return { id, json: JSON.stringify(makeErrorEvent({ seed, number, stackNumber, shape, atMs, build })) }
}

/** Which stack event `number` has: with few, some are far more frequent than others, as in life. */
export function stackNumberOf({ stacks, seed }: CorpusSpec, number: number): number {
  if (stacks === 'all') return number
  if (stacks <= 3) return Math.abs(mix(number, seed)) % stacks
  // A square bends the even throw towards the first ones.
  const throwOf = diceOf(seed ^ 0x6a09, number).next()
  return Math.floor(throwOf * throwOf * stacks)
}

const ITEM_HEADERS: Readonly<Record<CorpusKind, string>> = {
  'error-5k': '{"type":"event"}',
  'error-18k': '{"type":"event"}',
  'transaction-28k': '{"type":"transaction"}',
  'spans-30k': `{"type":"span","item_count":${SPANS_PER_BATCH},"content_type":"application/vnd.sentry.items.span.v2+json"}`,
}

/**
 * Writes one envelope as a JavaScript SDK does: header line, item header line, payload, no newline at the
 * end.
 */
export function envelopeOf(spec: CorpusSpec, event: CorpusEvent, sentAtMs: number): string {
  const header = {
    ...(spec.kind === 'spans-30k' ? {} : { event_id: event.id }),
    sent_at: new Date(sentAtMs).toISOString(),
    sdk: { name: 'sentry.javascript.nextjs', version: '11.12.0' },
  }
  return `${JSON.stringify(header)}\n${ITEM_HEADERS[spec.kind]}\n${event.json}`
}

const GZIP_LEVEL = 6

/** gzip at level 6, as SDKs compress. */
export function gzipped(text: string): Buffer {
  return gzipSync(text, { level: GZIP_LEVEL })
}

/** The number that error pages of a stack show; stacks whose events come from a browser carry none. */
export function digestOf({ kind, seed }: CorpusSpec, stackNumber: number): string {
  const shapes = kind === 'error-18k' ? LARGE : SMALL
  const shape = shapes[stackNumber % shapes.length]
  if (shape?.side !== 'node') throw new Error(`stack ${stackNumber} fails in a browser`)
  return makeStack(seed, stackNumber, shape.stack).digest
}
