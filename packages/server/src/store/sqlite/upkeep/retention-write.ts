/** The control store's part in retention and compaction. */
import { statSync } from 'node:fs'
import { dayOf } from '#base/ids.ts'
import { oldestHourKept } from '#issues/issue-sums.ts'
import { max } from '#limits/limits.ts'
import { type FileName, type FileWords, fileNameOf } from '#model/file-name.ts'
import type { Removal } from '#ports/care.ts'
import type { ControlRetention, FileState } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'
import { readDeletions } from '../rows/hidden-read.ts'
import { readKnownTime, setKnownTime } from '../rows/known-time.ts'
import { groupContentStore } from './group-contents.ts'
import { removeAged } from './remove-aged.ts'

export function retentionWrite(db: Connection): ControlRetention {
  return {
    deletions: async () => readDeletions(db),
    dropDeletions: async (deletions) =>
      db.transaction(() => {
        for (const { kind, id } of deletions) db.run(DROP[kind], [id])
      }),
    forgetDeleted: async () => forgetDeleted(db),
    knownTime: async () => readKnownTime(db),
    setKnownTime: async (time) => db.transaction(() => setKnownTime(db, time)),
    fileStates: async () => readFileStates(db),
    setFileState: async (state) => setFileState(db, state),
    beginRemoval: async (removal) => db.transaction(() => beginRemoval(db, removal)),
    endRemoval: async (removal, endedMs) => db.transaction(() => endRemoval(db, removal, endedMs)),
    openRemovals: async () => readRemovals(db, 'WHERE ended_ms IS NULL ORDER BY id'),
    async noteRun({ kind, begunMs, endedMs, files, freedBytes, failure }) {
      const sql = `INSERT OR REPLACE INTO upkeep_runs (kind, begun_ms, ended_ms, files, freed_bytes, failure)
        VALUES (?, ?, ?, ?, ?, ?)`
      db.run(sql, [kind, Math.floor(begunMs), Math.floor(endedMs), files, freedBytes, failure])
    },
    ...groupContentStore(db),
    pruneGroups: async (after, count, of) => db.transaction(() => pruneGroups(db, { after, count, ...of })),
    removeAged: async (place, nowMs) => db.transaction(() => removeAged(db, place, nowMs)),
  }
}

const DROP = {
  tombstone: 'DELETE FROM tombstones WHERE id = ?',
  person: 'DELETE FROM person_tombstones WHERE id = ?',
} as const

function readFileStates(db: Connection): readonly FileState[] {
  const sql = `SELECT kind, day, retention_days AS retentionDays, payload_bytes AS payloadBytes, column_seq AS columnSeq,
      tombstone_id AS tombstone, person_id AS person, compacted_ms AS compactedMs
    FROM file_states`
  type Row = FileWords &
    Pick<FileState, 'payloadBytes' | 'columnSeq' | 'compactedMs'> & { tombstone: number; person: number }
  return db.all<Row>(sql).flatMap(({ tombstone, person, payloadBytes, columnSeq, compactedMs, ...row }) => {
    const file = fileNameOf(row)
    return file === null ? [] : [{ file, payloadBytes, columnSeq, compactedMs, marks: { tombstone, person } }]
  })
}

function setFileState(
  db: Connection,
  { file, payloadBytes, columnSeq, marks, compactedMs }: FileState,
): void {
  const sql = `INSERT OR REPLACE INTO file_states (kind, day, retention_days, payload_bytes, column_seq, tombstone_id,
      person_id, compacted_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  const { tombstone, person } = marks
  db.run(sql, [
    file.kind,
    file.day,
    file.retentionDays,
    payloadBytes,
    columnSeq,
    tombstone,
    person,
    Math.floor(compactedMs),
  ])
}

function beginRemoval(db: Connection, removal: Omit<Removal, 'id' | 'endedMs'>): Removal {
  const { file, reason, bytes, begunMs } = removal
  const sql =
    'INSERT INTO removals (kind, day, retention_days, reason, bytes, begun_ms) VALUES (?, ?, ?, ?, ?, ?)'
  const { lastId } = db.run(sql, [
    file.kind,
    file.day,
    file.retentionDays,
    reason,
    bytes,
    Math.floor(begunMs),
  ])
  return { ...removal, begunMs: Math.floor(begunMs), id: lastId, endedMs: null }
}

function endRemoval(db: Connection, { id, file }: Removal, endedMs: number): void {
  db.run('UPDATE removals SET ended_ms = ? WHERE id = ?', [Math.floor(endedMs), id])
  const place = [file.kind, file.day, file.retentionDays]
  db.run('DELETE FROM file_states WHERE kind = ? AND day = ? AND retention_days = ?', place)
  // What /system shows; the rest is of no use to anybody.
  db.run('DELETE FROM removals WHERE id <= ? AND ended_ms IS NOT NULL', [id - max('removalsKeptMax')])
}

/** Removals by a fixed clause. */
export function readRemovals(db: Connection, clause: string, params: readonly number[] = []): Removal[] {
  const sql = `SELECT id, kind, day, retention_days AS retentionDays, reason, bytes, begun_ms AS begunMs, ended_ms AS endedMs
    FROM removals ${clause}`
  return db.all<FileWords & Omit<Removal, 'file'>>(sql, params).flatMap((row) => {
    const { kind: _, day: __, retentionDays: ___, ...removal } = row
    const file = fileNameOf(row)
    return file === null ? [] : [{ ...removal, file }]
  })
}

interface AgedFile {
  readonly groupId: number
  readonly kind: string
  readonly day: number
  readonly retentionDays: number
}

/** Removes of groups what is past its age. Each is asked first: nothing to remove is no write. */
function pruneGroups(
  db: Connection,
  {
    after,
    count,
    nowMs,
    kept,
  }: {
    readonly after: number
    readonly count: number
    readonly nowMs: number
    readonly kept: readonly FileName[]
  },
): number | null {
  const ids = db
    .all<{ id: number }>('SELECT id FROM groups WHERE id > ? ORDER BY id LIMIT ?', [after, count])
    .map(({ id }) => id)
  const oldestHour = oldestHourKept(nowMs)
  const find = 'SELECT 1 FROM group_hours WHERE group_id = ? AND hour < ? LIMIT 1'
  const old = db.getEach(
    find,
    ids.map((id) => [id, oldestHour]),
  )
  const aged = ids.filter((_, at) => old[at] !== undefined).map((id) => [id, oldestHour])
  db.runEach('DELETE FROM group_hours WHERE group_id = ? AND hour < ?', aged)
  removeGoneFiles(db, ids, { today: dayOf(nowMs), kept })
  return ids.length < count ? null : (ids.at(-1) ?? null)
}

/** Removes names of files past their class that are not there: what a removal left, if anything. */
function removeGoneFiles(
  db: Connection,
  ids: readonly number[],
  { today, kept }: { readonly today: number; readonly kept: readonly FileName[] },
): void {
  const nameOf = ({ kind, day, retentionDays }: Omit<AgedFile, 'groupId'>) =>
    `${kind} ${day} ${retentionDays}`
  const names = new Set(kept.map(nameOf))
  const sql = `SELECT f.group_id AS groupId, g.kind, f.day, f.retention_days AS retentionDays
    FROM group_files f JOIN groups g ON g.id = f.group_id WHERE f.group_id = ? AND f.day + f.retention_days < ?`
  const past = db.allEach<AgedFile>(
    sql,
    ids.map((id) => [id, today]),
  )
  const gone = past.flat().filter((file) => !names.has(nameOf(file)))
  db.runEach(
    'DELETE FROM group_files WHERE group_id = ? AND day = ? AND retention_days = ?',
    gone.map(({ groupId, day, retentionDays }) => [groupId, day, retentionDays]),
  )
}

/**
 * Leaves nothing of what was deleted in the database's files: `secure_delete` overwrites what is deleted; copies that a page
 * kept from an older order of its rows, words in the text indexes and the log go here. Everything else waits meanwhile: 70 MB a second (2 vCPU AMD EPYC, 2026-11-22). Throws when the disk is full.
 */
function forgetDeleted(db: Connection): void {
  // Merges each index into one part, which leaves out what was taken from older ones.
  db.script(`INSERT INTO issue_text (issue_text) VALUES ('optimize')`)
  db.script(`INSERT INTO facet_words (facet_words) VALUES ('optimize')`)
  if (statSync(db.path).size <= max('controlRewriteBytesMax')) db.rewrite()
  db.truncateLog()
}
