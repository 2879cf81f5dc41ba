/** Last stages of a commit: what is noted of a batch beside its issues and figures. */
import { MINUTE_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import {
  minuteSums,
  type OutcomeQuantity,
  outcomePlaces,
  outcomeSums,
  type PlacesThere,
  settledOutcomes,
  withLeftOut,
} from '#issues/batch-outcomes.ts'
import type { StoredAttachment } from '#ports/attachments.ts'
import type { ControlBatch } from '#ports/ingest.ts'
import { addAttachments } from '../attachments/attachments.ts'
import { countOutcomePlaces, writeMinutes, writeOutcomeSums } from '../ingest/outcome-store.ts'
import type { Stage, WritingStage as WritingStageOf } from '../stage.ts'
import type { BatchAtHand } from './batch-at-hand.ts'

type WritingStage<Input, Told = void> = WritingStageOf<Input, BatchAtHand, Told>

type FirstEvents = ReadonlyMap<ProjectId, number>

/** Projects of which this is the first that is stored. */
export const FIRST_EVENT_STAGE: WritingStage<FirstEvents, { readonly firstEvents: readonly ProjectId[] }> = {
  name: 'first events',
  pick({ deltas, projects }) {
    const first = new Map<ProjectId, number>()
    for (const { projectId, firstReceivedMs } of deltas) {
      if (projects.get(projectId)?.isSilent !== true) continue
      first.set(projectId, Math.min(first.get(projectId) ?? Number.POSITIVE_INFINITY, firstReceivedMs))
    }
    return first.size === 0 ? null : first
  },
  save(db, first) {
    const sql = 'UPDATE projects SET first_event_ms = ? WHERE id = ? AND first_event_ms IS NULL'
    db.runEach(
      sql,
      [...first].map(([id, atMs]) => [Math.floor(atMs), id]),
    )
    return { firstEvents: [...first.keys()] }
  },
}

interface OutcomeChanges {
  readonly sums: readonly OutcomeQuantity[]
  readonly minutes: ReturnType<typeof minuteSums>
}

export const OUTCOME_STAGE: Stage<OutcomeChanges, PlacesThere, OutcomeChanges, BatchAtHand> = {
  name: 'outcomes',
  pick({ batch, projects, nowMs, leftOut }) {
    const isKnown = (project: ProjectId) => projects.has(project)
    const outcomes = withLeftOut(settledOutcomes(batch, { nowMs, isKnown }), leftOut, batch.parts)
    return outcomes.length === 0 ? null : { sums: outcomeSums(outcomes), minutes: minuteSums(outcomes) }
  },
  load: (db, { sums }) => countOutcomePlaces(db, sums),
  decide: (counts, { sums, minutes }) => ({ sums: outcomePlaces(sums, counts), minutes }),
  save(db, { sums, minutes }) {
    writeOutcomeSums(db, sums)
    writeMinutes(db, minutes)
  },
}

export const ATTACHMENT_STAGE: WritingStage<readonly StoredAttachment[]> = {
  name: 'attachments',
  pick: ({ attachments }) => (attachments.length === 0 ? null : attachments),
  save: addAttachments,
}

/** Keys that sent anything, and when last, by minutes. */
export const KEY_STAGE: WritingStage<readonly (readonly [key: number, atMs: number])[]> = {
  name: 'keys',
  pick({ batch: { keysUsed } }) {
    if (keysUsed.length === 0) return null
    return keysUsed.map(({ keyId, atMs }) => [keyId, Math.floor(atMs / MINUTE_MS) * MINUTE_MS])
  },
  save(db, used) {
    // One statement: of a wide batch each event has a key of its own, and nearly all were used in this minute before.
    const sql = `UPDATE project_keys SET used_ms = used.at
      FROM (SELECT value ->> 0 AS key, value ->> 1 AS at FROM json_each(?)) AS used
      WHERE id = used.key AND coalesce(used_ms, 0) < used.at`
    db.run(sql, [JSON.stringify(used)])
  },
}

export const QUARANTINE_STAGE: WritingStage<ControlBatch['quarantined']> = {
  name: 'quarantine',
  // Of a project that was deleted meanwhile nothing is kept.
  pick({ batch, projects }) {
    const quarantined = batch.quarantined.filter(({ projectId }) => projects.has(projectId))
    return quarantined.length === 0 ? null : quarantined
  },
  save(db, quarantined) {
    const sql = `INSERT OR REPLACE INTO quarantined (seq, project_id, received_ms, reason, bytes, set_aside)
      VALUES (?, ?, ?, ?, ?, ?)`
    const rows = quarantined.map(({ seq, projectId, receivedMs, reason, bytes, setAside = [] }) => {
      return [seq, projectId, Math.floor(receivedMs), reason, bytes, JSON.stringify(setAside)]
    })
    db.runEach(sql, rows)
  },
}
