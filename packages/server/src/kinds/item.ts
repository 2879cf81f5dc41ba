/** Input and answer of an item's reader. Kinds do not know each other; `kinds.ts` is the one list of them. */
import type { HeaderFields } from '@errata/protocol'
import { assert } from '#base/errors.ts'
import type { KeyId, ProjectId, Seq } from '#base/ids.ts'
import type { InboundFilter } from '#filter/filter.ts'
import type { PendingRow } from '#model/batch.ts'
import type { RetentionDays } from '#model/file-name.ts'
import type { GroupingRule } from '#model/grouping-rules.ts'
import type { KnownDeploys } from '#model/known-deploys.ts'
import type { KnownRoutes } from '#model/known-routes.ts'
import type { SetAside } from '#model/large-item.ts'
import type { MapLookup } from '#model/map-lookup.ts'
import type { Outcome } from '#model/outcome.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import type { SpanSampling } from '#ports/projects.ts'
import type { Scrubber } from '#scrub/scrub.ts'

/** Item of an envelope, with what the envelope and its request say about it. */
export interface ItemInput {
  readonly type: string
  readonly header: HeaderFields
  readonly payload: Uint8Array
  /** Place of its payload, if accept put that aside; `payload` is empty then. */
  readonly setAside: SetAside | null
  readonly envelope: EnvelopeContext
}

export interface EnvelopeContext {
  readonly seq: Seq
  readonly projectId: ProjectId
  readonly keyId: KeyId
  /** Milliseconds since 1970 UTC: time of receipt. */
  readonly receivedMs: number
  readonly header: HeaderFields
  /** Id answered to the client, or `null` where none was needed. */
  readonly eventId: string | null
  readonly clientAddress: string | null
  readonly userAgent: string | null
  readonly client: string | null
  readonly retentionDays: RetentionDays
  readonly spans: SpanRules
  readonly scrubber: Scrubber
  /** `null` for a project that filters nothing. */
  readonly filter: InboundFilter | null
  /** None where it is left out. */
  readonly groupingRules?: readonly GroupingRule[]
  /** Routes that its SDKs stated; none where it is left out. */
  readonly routes?: KnownRoutes
  /** Builds that are known to have run; where it is left out, a deploy is believed. */
  readonly deploys?: KnownDeploys
  /** Source maps of the project. */
  readonly maps: MapLookup
  /** Parts of events that this thread knows from earlier ones. */
  readonly shared: SharedParts
}

/** Rules of a project for its spans. */
export interface SpanRules {
  readonly retentionDays: RetentionDays
  /** `null`: all are kept. */
  readonly sampling: SpanSampling | null
}

/** No other file can write it. */
const ANSWERED: unique symbol = Symbol('answered')

/** Made by `stored`, `accepted`, `filtered` and `refused` alone: no item disappears without saying so. */
export interface ItemAnswer {
  readonly [ANSWERED]: true
  /** Rows to store, of any kinds. */
  readonly rows: readonly PendingRow[]
  readonly outcomes: readonly Outcome[]
  /** Items of other kinds that this one holds, to be read as if they had come beside it. */
  readonly made: readonly MadeItem[]
}

export interface MadeItem {
  readonly type: string
  readonly payload: Uint8Array
}

/** Rest of reading an item, in steps that each use other code: many items are read step by step. */
export type ItemSteps = Generator<void, ItemAnswer, void>

/**
 * Reads one item, or says in which steps it is read. A payload that cannot be read is an outcome; a throw is a bug of
 * ours.
 */
export type ItemReader = (input: ItemInput) => ItemAnswer | ItemSteps

/**
 * Answers for an item of which something is stored, or made into other items; each part that is not has an
 * outcome.
 */
export function stored({
  rows,
  outcomes = [],
  made = [],
}: {
  readonly rows: readonly PendingRow[]
  readonly outcomes?: readonly Outcome[]
  readonly made?: readonly MadeItem[]
}): ItemAnswer {
  assert(rows.length + outcomes.length + made.length > 0, 'an item of which nothing is stored has an outcome')
  return makeAnswer({ rows, outcomes, made })
}

/** The item was no more than news of others, which are counted, or held nothing. */
export function accepted(outcomes: readonly Outcome[]): ItemAnswer {
  return makeAnswer({ rows: [], outcomes, made: [] })
}

/** The project does not want it. */
export function filtered(of: Omit<Outcome, 'outcome'>): ItemAnswer {
  return leftOut({ outcome: 'filtered', ...of })
}

/** It cannot be read, or this version has no store for it. */
export function refused(of: Outcome & { readonly outcome: 'invalid' | 'unsupported' }): ItemAnswer {
  return leftOut(of)
}

function leftOut(outcome: Outcome): ItemAnswer {
  return leftOutWith([outcome])
}

/** Left out with the item that it belongs to, for the same reason; counted in every category that it counts in. */
export function leftOutWith(outcomes: readonly Outcome[]): ItemAnswer {
  assert(outcomes.length > 0, 'an item of which nothing is stored has an outcome')
  // How many it says it holds is the sender's word.
  const counted = outcomes.map((each) => ({ ...each, quantity: Math.max(1, each.quantity) }))
  return makeAnswer({ rows: [], outcomes: counted, made: [] })
}

function makeAnswer(of: Omit<ItemAnswer, typeof ANSWERED>): ItemAnswer {
  return { [ANSWERED]: true, ...of }
}

/** True for what one of these made: whatever else a reader may have handed over says nothing of its item. */
export function isAnswer(value: ItemAnswer | undefined): boolean {
  return value?.[ANSWERED] === true
}
