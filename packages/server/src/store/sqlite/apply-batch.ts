/** The commit's one control transaction. */
import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { type GroupHash, type IssueId, type ProjectId, type Seq, seq } from '#base/ids.ts'
import type { AppliedBatch, ControlBatch, ControlCommit, Tombstone } from '#ports/ingest.ts'
import { type GroupDelta, groupDeltas } from './batch-groups.ts'
import type { Connection } from './connection.ts'
import { writeDigests } from './digest-store.ts'
import { FacetStore } from './facet-store.ts'
import { findGroup, insertGroup, updateGroup, usersOfNewGroup } from './group-store.ts'
import { type IssueAddition, IssueStore } from './issue-store.ts'
import { settledOutcomes, writeOutcomes } from './outcome-store.ts'
import { pruneDaily } from './prune.ts'

const MINUTE_MS = 60_000

export function controlCommit(db: Connection, clock: Clock): ControlCommit {
  return {
    applyBatch: async (batch) => db.transaction(() => applyBatch(db, batch, clock.now())),
    appliedSeq: async () => appliedSeq(db),
    tombstones: async () => {
      const sql = `SELECT project_id AS projectId, lower(hex(hash)) AS hash, up_to_seq AS upToSeq FROM tombstones
        ORDER BY rowid`
      type Row = { projectId: ProjectId; hash: GroupHash | ''; upToSeq: Seq }
      return db.all<Row>(sql).map((row): Tombstone => ({ ...row, hash: row.hash === '' ? null : row.hash }))
    },
  }
}

export function appliedSeq(db: Connection): Seq {
  const row = db.get<{ value: number }>(`SELECT value FROM meta WHERE name = 'applied_seq'`)
  return seq(row?.value ?? 0)
}

function applyBatch(db: Connection, batch: ControlBatch, nowMs: number): AppliedBatch {
  const applied = appliedSeq(db)
  if (batch.lastSeq <= applied)
    return { appliedSeq: applied, newIssues: 0, regressedIssues: 0, firstEvents: [] }
  assert(
    batch.firstSeq > applied,
    `batch ${batch.firstSeq}–${batch.lastSeq} begins below applied_seq ${applied}`,
  )
  const known = knownProjects(db, batch)
  const isKnown = (project: ProjectId) => known.has(project)
  const deltas = groupDeltas(batch.events.filter(({ row }) => isKnown(row.projectId)))
  const { newIssues, regressedIssues } = applyGroups(db, deltas)
  const firstEvents = writeFirstEvents(db, deltas)
  writeOutcomes(db, settledOutcomes(batch, isKnown))
  writeKeysUsed(db, batch)
  writeQuarantined(db, batch)
  pruneDaily(db, nowMs)
  db.run(`UPDATE meta SET value = ? WHERE name = 'applied_seq'`, [batch.lastSeq])
  return { appliedSeq: batch.lastSeq, newIssues, regressedIssues, firstEvents }
}

function knownProjects(db: Connection, batch: ControlBatch): ReadonlySet<ProjectId> {
  const named = new Set<ProjectId>()
  for (const { row } of batch.events) named.add(row.projectId)
  for (const { projectId } of batch.outcomes) if (projectId !== null) named.add(projectId)
  const sql = 'SELECT id FROM projects WHERE id IN (SELECT value FROM json_each(?))'
  return new Set(db.all<{ id: ProjectId }>(sql, [JSON.stringify([...named])]).map(({ id }) => id))
}

function applyGroups(
  db: Connection,
  deltas: readonly GroupDelta[],
): { readonly newIssues: number; readonly regressedIssues: number } {
  const facets = new FacetStore(db)
  const issues = new IssueStore(db)
  const known = new Map<IssueId, IssueAddition[]>()
  let newIssues = 0
  for (const delta of deltas) {
    const row = findGroup(db, delta)
    if (row === null) {
      const users = usersOfNewGroup(delta)
      const issueId = issues.insert(delta, users)
      const { groupId } = insertGroup(db, facets, { delta, issueId, users })
      writeDigests(db, { groupId, isNew: true, delta })
      newIssues++
    } else {
      const { groupId, users } = updateGroup(db, facets, { delta, row })
      writeDigests(db, { groupId, isNew: false, delta })
      const additions = known.get(row.issueId)
      if (additions === undefined) known.set(row.issueId, [{ delta, users }])
      else additions.push({ delta, users })
    }
  }
  facets.finish()
  let regressedIssues = 0
  for (const [id, additions] of known) if (issues.update(id, additions)) regressedIssues++
  issues.finish()
  return { newIssues, regressedIssues }
}

function writeFirstEvents(db: Connection, deltas: readonly GroupDelta[]): readonly ProjectId[] {
  const first = new Map<ProjectId, number>()
  for (const { projectId, events } of deltas) {
    for (const { row } of events) {
      first.set(projectId, Math.min(first.get(projectId) ?? Number.POSITIVE_INFINITY, row.receivedMs))
    }
  }
  const sql = 'UPDATE projects SET first_event_ms = ? WHERE id = ? AND first_event_ms IS NULL'
  return [...first].filter(([id, atMs]) => db.run(sql, [Math.floor(atMs), id]).changes > 0).map(([id]) => id)
}

function writeKeysUsed(db: Connection, { keysUsed }: ControlBatch): void {
  const sql = 'UPDATE project_keys SET used_ms = :at WHERE id = :key AND coalesce(used_ms, 0) < :at'
  for (const { keyId, atMs } of keysUsed) {
    db.run(sql, { key: keyId, at: Math.floor(atMs / MINUTE_MS) * MINUTE_MS })
  }
}

function writeQuarantined(db: Connection, { quarantined }: ControlBatch): void {
  const sql = `INSERT OR REPLACE INTO quarantined (seq, project_id, received_ms, reason, bytes)
    VALUES (?, ?, ?, ?, ?)`
  for (const { seq: at, projectId, receivedMs, reason, bytes } of quarantined) {
    db.run(sql, [at, projectId, Math.floor(receivedMs), reason, bytes])
  }
}
