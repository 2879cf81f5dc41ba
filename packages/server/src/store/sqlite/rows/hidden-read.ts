/** Reads what queries of the column store leave out. */
import type { GroupHash, ProjectId, Seq } from '#base/ids.ts'
import type { Hidden, PersonTombstone, Tombstone } from '#model/hidden.ts'
import { ATTACHMENT_NAME } from '#model/large-item.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { Deletion, DeletionMarks } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'

export function readHidden(db: Connection): Hidden {
  return { tombstones: readTombstones(db), people: readPersonTombstones(db), periods: readPeriods(db) }
}

/** Reads deletions in one state of the database: whoever removes what `hidden` says has reached `marks`. */
export function readDeletions(db: Connection): {
  readonly hidden: Hidden
  readonly marks: DeletionMarks
  readonly pending: readonly Deletion[]
} {
  return db.snapshot(() => ({
    hidden: readHidden(db),
    marks: { tombstone: greatestId(db, 'tombstones'), person: greatestId(db, 'person_tombstones') },
    pending: db.all<Deletion>(
      `SELECT 'tombstone' AS kind, id, created_ms AS createdMs FROM tombstones
        UNION ALL SELECT 'person', id, created_ms FROM person_tombstones`,
    ),
  }))
}

function readTombstones(db: Connection): readonly Tombstone[] {
  const sql = `SELECT project_id AS projectId, lower(hex(hash)) AS hash, up_to_seq AS upToSeq FROM tombstones
    ORDER BY id`
  type Row = { projectId: ProjectId; hash: GroupHash | ''; upToSeq: Seq }
  return db.all<Row>(sql).map((row): Tombstone => ({ ...row, hash: row.hash === '' ? null : row.hash }))
}

function readPersonTombstones(db: Connection): readonly PersonTombstone[] {
  const sql = `SELECT project_id AS projectId, person, up_to_seq AS upToSeq FROM person_tombstones ORDER BY id`
  return db.all<PersonTombstone>(sql)
}

function readPeriods(db: Connection): Hidden['periods'] {
  const sql = `SELECT id AS projectId, json_extract(options, '$.retentionDays') AS days,
    json_extract(options, '$.spanRetentionDays') AS spanDays,
    json_extract(options, '$.attachmentRetentionDays') AS attachmentDays FROM projects`
  type Row = {
    projectId: ProjectId
    days: number | null
    spanDays: number | null
    attachmentDays: number | null
  }
  return db.all<Row>(sql).flatMap(({ projectId, days, spanDays, attachmentDays }) => [
    { projectId, kind: null, days: days ?? PROJECT_OPTIONS_DEFAULT.retentionDays },
    { projectId, kind: 'span', days: spanDays ?? PROJECT_OPTIONS_DEFAULT.spanRetentionDays },
    {
      ...{ projectId, kind: ATTACHMENT_NAME },
      days: attachmentDays ?? PROJECT_OPTIONS_DEFAULT.attachmentRetentionDays,
    },
  ])
}

/** Returns the greatest id that ever was: a dropped row counts too. */
function greatestId(db: Connection, table: 'tombstones' | 'person_tombstones'): number {
  return db.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', [table])?.seq ?? 0
}
