/**
 * The commit's one control transaction. It lets others of its thread go between its steps: reads of columns and payloads
 * are answered there, and would else wait for the whole of it, once for each of their questions.
 */
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { type ProjectId, type Seq, seq } from '#base/ids.ts'
import { splitParts } from '#issues/batch-parts.ts'
import { max } from '#limits/limits.ts'
import {
  type AppliedBatch,
  type ControlBatch,
  type ControlCommit,
  NO_FIGURES_CHANGED,
} from '#ports/ingest.ts'
import { readBatchProjects } from '../batch-projects.ts'
import type { Connection } from '../connection.ts'
import { payloadWindows } from '../ingest/payload-windows.ts'
import { toldErrors } from '../ingest/told-errors.ts'
import { withFunctionName } from '../issues/function-names.ts'
import { Memory } from '../memory.ts'
import { functionOf } from '../requests/requests-of-batch.ts'
import { appliedOverflow, appliedSeq, writeApplied } from '../rows/applied-seq.ts'
import { readHidden } from '../rows/hidden-read.ts'
import { staleGroups } from '../skew/stale-groups.ts'
import { type BatchAtHand, type BeforeBatch, NO_STORY, withTold } from './batch-at-hand.ts'
import { mayChangeRemembered } from './counted-writes.ts'
import { type Remembered, rememberAll } from './remembered.ts'
import { STAGES } from './stages.ts'

export function controlCommit(db: Connection, clock: Clock): ControlCommit {
  const lane = new Lane(db)
  return {
    applyBatch: async (batch) =>
      lane.within((before, remembered) => applyBatch(db, { batch, before, remembered, nowMs: clock.now() })),
    payloadWindows: async (asks) => lane.looking((remembered) => payloadWindows(db, remembered, asks)),
    staleGroups: (told) => staleGroups(db, told, () => setImmediate()),
    toldErrors: async (asked) => db.snapshot(() => toldErrors(db, asked)),
    appliedSeq: async () => appliedSeq(db),
    appliedOverflow: async () => appliedOverflow(db),
    quarantinedSeqs: async () =>
      db.all<{ seq: Seq; projectId: ProjectId; setAsideBytes: number }>(
        `SELECT seq, project_id AS projectId, (SELECT coalesce(sum(value ->> 'bytes'), 0)
          FROM json_each(set_aside)) AS setAsideBytes FROM quarantined`,
      ),
    forgetSetAside: async (seqs) =>
      db.transaction(() => {
        const sql = `UPDATE quarantined SET set_aside = '[]' WHERE seq = ?`
        db.runEach(
          sql,
          seqs.map((at) => [at]),
        )
      }),
    hidden: async () => db.snapshot(() => readHidden(db)),
  }
}

const BEFORE = `SELECT (SELECT value FROM meta WHERE name = 'applied_seq') AS appliedSeq,
  (SELECT value FROM meta WHERE name = 'pruned_day') AS prunedDay,
  (SELECT value FROM meta WHERE name = 'alerts_version') AS alertsVersion,
  EXISTS (SELECT 1 FROM server_failures WHERE of_span = 1) AS hasSpanFailures,
  EXISTS (SELECT 1 FROM mirrors) AS hasMirrors,
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'groups'), 0) AS lastGroup,
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'issues'), 0) AS lastIssue,
  coalesce((SELECT max(id) FROM tag_keys), 0) AS lastKey`

/** Transactions of batches, and what is remembered between them. */
class Lane {
  readonly #db: Connection
  readonly #memory = new Memory()
  readonly #remembered: Remembered
  /** Writes of all so far that may have changed a row which is remembered. */
  readonly #writes: () => number
  /** Number of writes at the end of the last batch. */
  #seen: number
  #prunedDay: number | null = null

  constructor(db: Connection) {
    this.#db = db
    this.#remembered = rememberAll(this.#memory)
    this.#writes = db.countRuns(mayChangeRemembered)
    this.#seen = this.#writes()
  }

  /** Runs one transaction. What people changed since the last one is read anew; what is undone is forgotten. */
  async within<T>(work: (before: BeforeBatch, remembered: Remembered) => Promise<T>): Promise<T> {
    const { waiting } = this.#remembered.requests.failures
    let isBegun = false
    try {
      const value = await this.#db.transactionOf(async () => {
        const before = this.#db.get<BeforeBatch>(BEFORE)
        assert(before !== undefined, 'one row answers')
        this.#forgetRows()
        isBegun = true
        this.#forgetAged(before.prunedDay)
        return work(before, this.#remembered)
      })
      waiting.committed()
      this.#memory.end()
      this.#seen = this.#writes()
      return value
    } catch (cause) {
      waiting.unwritten()
      this.#memory.undo()
      // Nobody else writes while a batch does.
      if (isBegun) this.#seen = this.#writes()
      throw cause
    }
  }

  /** Reads of one state of the database, before the transaction that they are for. */
  looking<T>(work: (remembered: Remembered) => T): T {
    return this.#db.snapshot(() => {
      this.#forgetRows()
      return this.#memory.reading(() => work(this.#remembered))
    })
  }

  /** Forgets rows that others may have written since. */
  #forgetRows(): void {
    const writes = this.#writes()
    if (writes === this.#seen) return
    this.#seen = writes
    this.#memory.forgetRows()
  }

  /** Forgets what a removal of old rows took, once a day: counting sessions anew costs a walk over all. */
  #forgetAged(prunedDay: number): void {
    if (prunedDay === this.#prunedDay) return
    this.#prunedDay = prunedDay
    this.#remembered.sessions.clear()
    const day = prunedDay - max('countedSpanDays')
    this.#remembered.requests.failures.waiting.forgetBefore(day)
  }
}

interface AtHand extends Pick<BatchAtHand, 'before' | 'remembered' | 'nowMs'> {
  readonly batch: ControlBatch
}

async function applyBatch(db: Connection, { batch, ...given }: AtHand): Promise<AppliedBatch> {
  const applied = seq(given.before.appliedSeq)
  if (batch.lastSeq <= applied)
    return {
      appliedSeq: applied,
      newIssues: 0,
      regressedIssues: 0,
      firstEvents: [],
      figures: NO_FIGURES_CHANGED,
    }
  assert(
    batch.firstSeq > applied,
    `batch ${batch.firstSeq}–${batch.lastSeq} begins below applied_seq ${applied}`,
  )
  const projects = readBatchProjects(db, batch)
  const { groups: told, ...parts } = splitParts(batch.parts, (project) => projects.has(project))
  const kinds = told.map((group) => {
    const delta = withFunctionName(group.delta, (project, id) =>
      functionOf(db, given.remembered.requests, { project, id }),
    )
    return delta === group.delta ? group : { ...group, delta }
  })
  const deltas = kinds.map(({ delta }) => delta)
  let at: BatchAtHand = {
    ...NO_STORY,
    ...{ ...given, ...parts, batch, projects, kinds, deltas, isChanged: false },
  }
  for (const stage of STAGES) {
    const done = await stage.run(db, at)
    if (done === null) continue
    at = withTold(at, done ?? undefined)
    await setImmediate()
  }
  writeApplied(db, batch)
  const { newIssues, returnedIssues, firstEvents } = at
  const counts = { newIssues: newIssues.length, regressedIssues: returnedIssues.length }
  const figures = {
    ...{ hasStaleClicks: at.stale.length > 0, hasNewReleases: at.hasNewReleases },
    requestHours: at.changedHours,
  }
  return { appliedSeq: batch.lastSeq, ...counts, firstEvents, figures }
}
