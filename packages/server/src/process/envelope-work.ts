/** Work on one envelope: it is taken apart, then each item is read, a step at a time. */
import { ATTACHMENT_BYTES, categoryOf, type Envelope, type EnvelopeItem } from '@errata/protocol'
import { assert } from '#base/errors.ts'
import type { Seq } from '#base/ids.ts'
import type { KeptGunzip } from '#base/kept-gunzip.ts'
import type { InboundFilter } from '#filter/filter.ts'
import {
  type EnvelopeContext,
  type ItemAnswer,
  type ItemInput,
  type ItemReader,
  type ItemSteps,
  isAnswer,
  leftOutWith,
  type MadeItem,
  refused,
} from '#kinds/item.ts'
import type { Kinds } from '#kinds/kind.ts'
import { retentionClassOf } from '#model/file-name.ts'
import type { GroupingRule } from '#model/grouping-rules.ts'
import type { KnownDeploys } from '#model/known-deploys.ts'
import type { KnownRoutes } from '#model/known-routes.ts'
import type { MapLookup } from '#model/map-lookup.ts'
import type { Outcome } from '#model/outcome.ts'
import type { EnvelopeRecord } from '#model/record.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import type { Project } from '#ports/projects.ts'
import type { Scrubber } from '#scrub/scrub.ts'
import { decodeEnvelopeRecord } from './decode.ts'
import { ProcessFailure } from './process-failure.ts'

export type SequencedEnvelope = EnvelopeRecord & { readonly seq: Seq }

/** Source maps by project, as of the last `refresh`. */
export interface ProjectMaps {
  refresh(): void
  of(project: Pick<Project, 'id' | 'orgId'>): MapLookup
}

/** A project with what was made of its options. */
export interface KnownProject {
  readonly project: Pick<Project, 'id' | 'orgId' | 'options'>
  readonly scrubber: Scrubber
  readonly filter: InboundFilter | null
  readonly groupingRules: readonly GroupingRule[]
  readonly shared: SharedParts
  readonly routes: KnownRoutes
  readonly deploys: KnownDeploys
  readonly maps: ProjectMaps
}

interface Reading {
  readonly item: EnvelopeItem
  /** `null` once there is an answer. */
  steps: ItemSteps | null
  answer: ItemAnswer | null
}

export interface EnvelopeWorkOptions {
  readonly kinds: Kinds
  /** Project of the envelope; `undefined` if it was deleted meanwhile. */
  readonly known: KnownProject | undefined
  /** Reads the items of such a project: how many an item holds only its reader knows. */
  readonly nobodys: KnownProject
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Undoes the codings of one envelope after the other. */
  readonly gunzip?: KeptGunzip | null
}

export class EnvelopeWork {
  readonly record: SequencedEnvelope
  readonly known: KnownProject | undefined
  /** Bytes of it in memory, beside the body as it came. */
  readonly bytes: number
  /** Milliseconds used so far. */
  ms = 0
  readonly #now: () => number
  readonly #kinds: Kinds
  readonly #readings: Reading[]
  readonly #open: (made: MadeItem) => Reading
  /** Answers about the envelope as a whole. */
  readonly #refusals: readonly ItemAnswer[]

  /** Takes the envelope apart. */
  constructor(record: SequencedEnvelope, { kinds, known, nobodys, now, gunzip }: EnvelopeWorkOptions) {
    const beganMs = now()
    this.record = record
    this.known = known
    this.#now = now
    this.#kinds = kinds
    const decoded = decodeEnvelopeRecord(record, gunzip)
    this.bytes = decoded.ok ? decoded.bytes.length : 0
    this.#refusals = refusalsOf(record, decoded, known)
    const reads = known ?? nobodys
    const isRead = (item: EnvelopeItem) => known !== undefined || !isSetAside(item, record)
    this.#readings = decoded.ok ? readingsOf(record, decoded, { kinds, known: reads, isRead }) : []
    this.#open = (made) => {
      assert(decoded.ok, 'an item was made of another one')
      return readingOf(made, { kinds, context: envelopeContext(record, decoded.envelope, reads) })
    }
    this.ms += now() - beganMs
  }

  /**
   * Does the next step of each item; false once none is left.
   * @throws ProcessFailure when our code fails on it
   */
  step(): boolean {
    const beganMs = this.#now()
    let isMore = false
    for (const reading of this.#readings) {
      this.#advance(reading)
      if (reading.steps !== null) isMore = true
    }
    this.ms += this.#now() - beganMs
    return isMore
  }

  /**
   * Once no step is left: in the order of the items.
   * @throws ProcessFailure for an item that nothing was said of
   */
  answers(): readonly ItemAnswer[] {
    const answers = this.#readings.map(({ answer, item }) => {
      if (answer !== null) return answer
      throw new ProcessFailure(this.record.seq, new Error(`item ${item.index} was left without an answer`))
    })
    if (this.known === undefined)
      return [...this.#refusals, ...answers.map((answer) => ofGone(answer, this.#kinds))]
    return [...this.#refusals, ...this.#followed(answers)]
  }

  #followed(answers: readonly ItemAnswer[]): readonly ItemAnswer[] {
    if (!this.#readings.some(({ item }) => this.#kinds.followOf(item.type) !== null)) return answers
    const beside = this.#readings.flatMap(({ item: { type } }, at) => {
      const answer = answers[at]
      return answer === undefined ? [] : [{ type, answer }]
    })
    return beside.map(({ type, answer }) => this.#kinds.followOf(type)?.(answer, beside) ?? answer)
  }

  /**
   * Advances one step. Nesting or growth beyond the engine's limits is the payload's fault; any other throw
   * is our bug.
   */
  #advance(reading: Reading): void {
    if (reading.steps === null) return
    try {
      const step = reading.steps.next()
      if (step.done !== true) return
      assert(isAnswer(step.value), 'a reader answers for each item')
      reading.answer = step.value
      for (const made of step.value.made) this.#readings.push(this.#open(made))
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw new ProcessFailure(this.record.seq, cause)
      reading.answer = tooDeep(reading.item)
    }
    reading.steps = null
  }
}

type Decoded = ReturnType<typeof decodeEnvelopeRecord>

/** Counts items that nobody reads. */
function refusalsOf(
  record: EnvelopeRecord,
  decoded: Decoded,
  known: KnownProject | undefined,
): readonly ItemAnswer[] {
  if (decoded.ok)
    return known === undefined
      ? itemsLeft(record, decoded.envelope).flatMap((item) =>
          isSetAside(item, record) ? [projectGone(item, record)] : [],
        )
      : []
  const outcome = { outcome: 'invalid', reason: decoded.reason, category: 'default', quantity: 1 } as const
  return [refused({ ...outcome, example: decoded.cause })]
}

function readingsOf(
  record: SequencedEnvelope,
  { envelope, bytes }: Decoded & { readonly ok: true },
  {
    kinds,
    known,
    isRead,
  }: {
    readonly kinds: Kinds
    readonly known: KnownProject
    readonly isRead: (item: EnvelopeItem) => boolean
  },
): Reading[] {
  const context = envelopeContext(record, envelope, known)
  const items = itemsLeft(record, envelope).filter(isRead)
  return items.map((item) => {
    const { type, header, start, end } = item
    const setAside = record.setAside?.find((each) => each.index === item.index) ?? null
    const input = { type, header, payload: bytes.subarray(start, end), setAside, envelope: context }
    return { item, steps: itemSteps(kinds.readerOf(type), input), answer: null }
  })
}

/** Returns a reading for an item outside any envelope. */
function readingOf(
  { type, payload }: MadeItem,
  { kinds, context }: { readonly kinds: Kinds; readonly context: EnvelopeContext },
): Reading {
  const item = { index: -1, type, header: { type }, start: 0, end: payload.length }
  const input = { type, header: item.header, payload, setAside: null, envelope: context }
  return { item, steps: itemSteps(kinds.readerOf(type), input), answer: null }
}

/** Nothing is done before the first step. */
function* itemSteps(read: ItemReader, input: ItemInput): ItemSteps {
  const begun = read(input)
  return 'rows' in begun ? begun : yield* begun
}

/** Items that accept has not left out already. */
export function itemsLeft(record: EnvelopeRecord, { items }: Envelope): readonly EnvelopeItem[] {
  return record.skippedItems.length === 0
    ? items
    : items.filter((item) => !record.skippedItems.includes(item.index))
}

const GONE = {
  ...{ outcome: 'invalid', reason: 'unknown_key' },
  example: 'the project was deleted before it was processed',
} as const satisfies Omit<Outcome, 'category' | 'quantity'>

function isSetAside({ index }: EnvelopeItem, { setAside = [] }: EnvelopeRecord): boolean {
  return setAside.some((each) => each.index === index)
}

/** An answer of which nothing may be stored: what would have been is counted as that of nobody. */
function ofGone({ rows, outcomes, ...answer }: ItemAnswer, kinds: Kinds): ItemAnswer {
  if (rows.length === 0) return { rows, outcomes, ...answer }
  const left = rows.map(({ kind, counts }): Outcome => {
    return { ...GONE, category: kinds.stored(kind).category, quantity: 1, ...counts }
  })
  return leftOutWith([...left, ...outcomes])
}

function projectGone(item: EnvelopeItem, { setAside }: EnvelopeRecord): ItemAnswer {
  const outcome = GONE
  const bytes = setAside?.find(({ index }) => index === item.index)?.bytes
  const counted = { ...outcome, ...categoryOf(item.type, item.header) }
  if (bytes === undefined) return refused(counted)
  return leftOutWith([counted, { ...outcome, category: ATTACHMENT_BYTES, quantity: bytes }])
}

function tooDeep({ type, header, start, end }: EnvelopeItem): ItemAnswer {
  const outcome = { outcome: 'invalid', reason: 'too_deep', ...categoryOf(type, header) } as const
  return refused({ ...outcome, example: `item of ${end - start} bytes that no reader can hold` })
}

function envelopeContext(
  record: SequencedEnvelope,
  envelope: Envelope,
  known: KnownProject,
): EnvelopeContext {
  return {
    seq: record.seq,
    projectId: record.projectId,
    keyId: record.keyId,
    receivedMs: record.receivedMs,
    header: envelope.header,
    eventId: record.eventId,
    clientAddress: record.clientAddress,
    userAgent: record.userAgent,
    client: record.client,
    retentionDays: retentionClassOf(known.project.options.retentionDays),
    spans: {
      retentionDays: retentionClassOf(known.project.options.spanRetentionDays),
      sampling: known.project.options.spanSampling,
    },
    scrubber: known.scrubber,
    filter: known.filter,
    groupingRules: known.groupingRules,
    shared: known.shared,
    routes: known.routes,
    deploys: known.deploys,
    maps: known.maps.of(known.project),
  }
}
