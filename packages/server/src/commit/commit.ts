/**
 * The fourth beat: one batch after the other, in seq order, exactly once. The control store's `applied_seq` decides
 * what is stored; whatever another store holds beyond it is taken back by `recover`, and the batch comes again.
 *
 * ```
 *  dedupe ─▶ payload blocks, synced ─▶ column rows, per file ─▶ quarantined bodies ─▶ control ─▶ event ids
 *            └────────────── taken back, or written again as they were ──────────┘   decides    derived
 * ```
 */
import { ATTACHMENT_BYTES } from '@errata/protocol'
import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import type { ProjectId, Seq } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Kinds } from '#kinds/kind.ts'
import type { KindHint } from '#model/batch.ts'
import type { CountedOutcome, OutcomeName } from '#model/outcome.ts'
import type { BlobStore } from '#ports/blobs.ts'
import { type AppliedBatch, type ControlCommit, NO_FIGURES_CHANGED } from '#ports/ingest.ts'
import { quarantineName } from '#ports/quarantine-name.ts'
import type { EventIds, PayloadSegments, RowEncoding, TelemetryStore } from '#ports/telemetry.ts'
import type { ArrivedBatch } from '#process/transfer.ts'
import { type CommitPlan, planCommit } from './plan.ts'
import { removeOldQuarantine } from './quarantine.ts'

/** The boundaries between the steps of a commit, in their order. */
export const COMMIT_STEPS = ['begin', 'payloads', 'columns', 'quarantine', 'control', 'event-ids'] as const
/** Steps of a recovery. */
export const RECOVERY_STEPS = ['recover-payloads', 'recover-columns', 'recover-event-ids'] as const
export type CommitStep = (typeof COMMIT_STEPS)[number] | (typeof RECOVERY_STEPS)[number]

export function isCommitStep(value: string): value is CommitStep {
  return [...COMMIT_STEPS, ...RECOVERY_STEPS].some((step) => step === value)
}

export interface CommitOptions {
  readonly kinds: Kinds
  readonly control: ControlCommit
  readonly telemetry: TelemetryStore
  /** Row encoding of the column store. */
  readonly encoding: RowEncoding
  readonly segments: PayloadSegments
  readonly eventIds: EventIds
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Log
  /** Issues that may begin in an hour, per project; default `newIssuesPerHourMax` of the limits. */
  readonly newIssuesMax?: number
  /** Called when a step is done (`begin`: before the first): where tests fail or kill the process. */
  readonly onStep?: (step: CommitStep) => void | Promise<void>
}

/** Result of committing a batch. */
export interface CommittedBatch extends AppliedBatch {
  readonly storedRows: number
  readonly duplicates: number
  /** Hints for process threads: what they may leave out from now on. */
  readonly hints: readonly KindHint[]
  /** Items by outcome. */
  readonly items: ReadonlyMap<OutcomeName, number>
  /** Projects that anything of it was counted for, in no order. */
  readonly projects: readonly ProjectId[]
}

export interface Commit {
  /**
   * Puts every store where the control store is, and answers its `applied_seq`: the journal is replayed from
   * there. Before the first batch, and after each failed one.
   */
  recover(): Promise<Seq>
  /**
   * Stores a batch. Batches come complete and in seq order. One at or below `applied_seq` changes nothing. When a
   * step fails nothing counts: call `recover`, then bring the journal again from where it says.
   */
  commit(batch: ArrivedBatch): Promise<CommittedBatch>
  /** Deletes quarantined envelopes that are too old or too many, or whose project is gone; answers how many. */
  removeOldQuarantine(): Promise<number>
}

export function createCommit(options: CommitOptions): Commit {
  return new BatchCommit(options)
}

class BatchCommit implements Commit {
  readonly #options: CommitOptions
  /** `null` before `recover`, and from the start of a batch until its end: a failure leaves it so. */
  #appliedSeq: Seq | null = null

  constructor(options: CommitOptions) {
    this.#options = options
  }

  async recover(): Promise<Seq> {
    const { control, telemetry, segments, eventIds, log } = this.#options
    this.#appliedSeq = null
    const appliedSeq = await control.appliedSeq()
    await segments.truncateBeyond(appliedSeq)
    await this.#step('recover-payloads')
    await telemetry.removeBeyond(appliedSeq)
    await this.#step('recover-columns')
    await telemetry.setHidden(await control.hidden())
    await eventIds.recover(appliedSeq)
    await this.#step('recover-event-ids')
    log.debug('stores are where the control store is', { appliedSeq })
    this.#appliedSeq = appliedSeq
    return appliedSeq
  }

  async commit(batch: ArrivedBatch): Promise<CommittedBatch> {
    const appliedSeq = this.#appliedSeq
    assert(appliedSeq !== null, 'recover comes before the first batch and after a failed one')
    const { firstSeq, lastSeq } = batch.range
    if (lastSeq <= appliedSeq) return unchangedBatch(appliedSeq)
    assert(firstSeq > appliedSeq, 'a batch lies wholly beyond what is applied')
    this.#appliedSeq = null
    const plan = await planCommit(batch, this.#options)
    const applied = await this.#store(batch, plan)
    this.#appliedSeq = applied.appliedSeq
    const { storedRows, duplicates, hints } = plan
    const { outcomes } = plan.control
    return {
      ...{ ...applied, storedRows, duplicates, hints },
      ...{ items: itemsByOutcome(outcomes), projects: projectsOf(outcomes) },
    }
  }

  removeOldQuarantine(): Promise<number> {
    return removeOldQuarantine(this.#options)
  }

  async #store(batch: ArrivedBatch, plan: CommitPlan): Promise<AppliedBatch> {
    const { control, telemetry, segments, eventIds, blobs } = this.#options
    const { lastSeq } = batch.range
    await this.#step('begin')
    await segments.append(plan.blocks)
    await this.#step('payloads')
    await telemetry.append(plan.rows, lastSeq)
    await this.#step('columns')
    // Written again after a crash, under the same name and with the same bytes.
    for (const { seq, body } of batch.quarantined) await blobs.put(quarantineName(seq), body)
    await this.#step('quarantine')
    const applied = await control.applyBatch(plan.control)
    await this.#step('control')
    await eventIds.add(plan.ids)
    await this.#step('event-ids')
    return applied
  }

  async #step(step: CommitStep): Promise<void> {
    await this.#options.onStep?.(step)
  }
}

function unchangedBatch(appliedSeq: Seq): CommittedBatch {
  return {
    appliedSeq,
    newIssues: 0,
    regressedIssues: 0,
    firstEvents: [],
    figures: NO_FIGURES_CHANGED,
    storedRows: 0,
    duplicates: 0,
    hints: [],
    items: new Map(),
    projects: [],
  }
}

function projectsOf(outcomes: readonly CountedOutcome[]): readonly ProjectId[] {
  return [...new Set(outcomes.flatMap(({ projectId }) => projectId ?? []))]
}

function itemsByOutcome(outcomes: readonly CountedOutcome[]): ReadonlyMap<OutcomeName, number> {
  const items = new Map<OutcomeName, number>()
  for (const { outcome, quantity, category } of outcomes) {
    // Bytes, beside the items that have them.
    if (category === ATTACHMENT_BYTES) continue
    items.set(outcome, (items.get(outcome) ?? 0) + quantity)
  }
  return items
}
