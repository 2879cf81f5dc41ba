/** Attachments of events in the control store. */

import type { Day } from '#base/ids.ts'
import { ATTACHMENT_NAME, largeName } from '#model/large-item.ts'
import type { AttachmentBlob, AttachmentsRead, StoredAttachment } from '#ports/attachments.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import type { AttachmentsUpkeep } from '#store/embedded/care/stores/control.ts'
import type { Connection } from '../connection.ts'

const COLUMNS = `project_id AS projectId, lower(hex(attachment)) AS id, lower(hex(event)) AS eventId, seq,
  received_ms AS receivedMs, day, retention_days AS retentionDays, name, content_type AS contentType, type, bytes,
  lower(hex(content_hash)) AS sha256, lower(hex(group_hash)) AS groupHash, people`

type Row = Omit<StoredAttachment, 'people'> & { readonly people: string }

/** A batch that comes again finds its own. */
export function addAttachments(db: Connection, attachments: readonly StoredAttachment[]): void {
  const sql = `INSERT OR IGNORE INTO attachments (project_id, attachment, event, seq, received_ms, day, retention_days,
      name, content_type, type, bytes, content_hash, group_hash, people)
    VALUES (?, unhex(?), unhex(?), ?, ?, ?, ?, ?, ?, ?, ?, unhex(?), unhex(?), ?)`
  db.runEach(
    sql,
    attachments.map((one) => [
      ...[
        one.projectId,
        one.id,
        one.eventId,
        one.seq,
        Math.floor(one.receivedMs),
        one.day,
        one.retentionDays,
      ],
      ...[one.name, one.contentType, one.type, one.bytes, one.sha256, one.groupHash],
      JSON.stringify(one.people),
    ]),
  )
}

export function attachmentsRead(db: Connection): AttachmentsRead {
  return {
    attachmentsOf: async (project, event) =>
      // attachments_by_event
      readAttachments(db, 'WHERE project_id = ? AND event = unhex(?) ORDER BY seq, name, attachment', [
        project,
        event,
      ]),
    attachment: async (project, id) =>
      readAttachments(db, 'WHERE project_id = ? AND attachment = unhex(?)', [project, id])[0] ?? null,
    attachmentsOfGroups: async (groups, { limit, before }) =>
      // attachments_by_group
      readAttachments(
        db,
        `WHERE (project_id, group_hash) IN (SELECT value ->> 0, unhex(value ->> 1) FROM json_each(?))
          AND (received_ms, attachment) < (?, unhex(?)) ORDER BY received_ms DESC, attachment DESC LIMIT ?`,
        [
          JSON.stringify(groups.map(({ projectId, hash }) => [projectId, hash])),
          before?.receivedMs ?? Number.MAX_SAFE_INTEGER,
          before?.id ?? '',
          limit,
        ],
      ),
    attachmentTotals: async () => {
      const sql = 'SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM attachments'
      return db.get<{ count: number; bytes: number }>(sql) ?? { count: 0, bytes: 0 }
    },
  }
}

const BLOB =
  'a.project_id AS projectId, lower(hex(a.attachment)) AS id, a.day, a.retention_days AS retentionDays'

export function attachmentsUpkeep(db: Connection): AttachmentsUpkeep {
  return {
    hiddenAttachments: async (today, limit) => hiddenAttachments(db, today, limit),
    forgetAttachments: async (attachments) =>
      db.transaction(() => {
        const sql = 'DELETE FROM attachments WHERE project_id = ? AND attachment = unhex(?)'
        db.runEach(
          sql,
          attachments.map(({ projectId, id }) => [projectId, id]),
        )
      }),
    forgetAttachmentsOf: async ({ day, retentionDays }) => {
      // attachments_by_day
      db.run('DELETE FROM attachments WHERE day = ? AND retention_days = ?', [day, retentionDays])
    },
    knownAttachments: async (blobs) => {
      const sql = `SELECT ${BLOB} FROM attachments a
        WHERE project_id = ? AND attachment = unhex(?) AND day = ? AND retention_days = ?`
      const found = db.getEach<AttachmentBlob>(
        sql,
        blobs.map(({ projectId, id, day, retentionDays }) => [projectId, id, day, retentionDays]),
      )
      const quarantined = quarantinedNames(db)
      const isQuarantined = ({ projectId, id, ...file }: AttachmentBlob) =>
        quarantined.has(largeName({ file: { kind: ATTACHMENT_NAME, ...file }, projectId, id }))
      const rows = found.filter((known) => known !== undefined)
      return quarantined.size === 0 ? rows : [...rows, ...blobs.filter(isQuarantined)]
    },
    attachmentBytes: async () =>
      // attachments_by_day
      db.all(`SELECT day, retention_days AS retentionDays, sum(bytes) AS bytes FROM attachments
        GROUP BY day, retention_days`),
    attachmentsAfter: async (after, limit) =>
      readAttachments(
        db,
        'WHERE (project_id, attachment) > (?, unhex(?)) ORDER BY project_id, attachment LIMIT ?',
        [...[after?.projectId ?? 0, after?.id ?? '', limit]],
      ),
  }
}

/** Names of attachments whose envelope is in quarantine: few, and mostly none. */
function quarantinedNames(db: Connection): ReadonlySet<string> {
  const sql = `SELECT value ->> 'name' AS name FROM quarantined, json_each(set_aside)`
  return new Set(db.all<{ name: string }>(sql).map(({ name }) => name))
}

/** By deletions there are few; by people and periods, each attachment of a project is looked at. */
function hiddenAttachments(db: Connection, today: Day | null, limit: number): readonly AttachmentBlob[] {
  // attachments_by_group
  const ofIssues = `SELECT ${BLOB} FROM tombstones t JOIN attachments a
    ON a.project_id = t.project_id AND a.group_hash = t.hash AND a.seq <= t.up_to_seq LIMIT ?`
  const ofPeople = `SELECT ${BLOB} FROM person_tombstones t JOIN attachments a
    ON a.project_id = t.project_id AND a.seq <= t.up_to_seq
    WHERE t.person IN (SELECT value FROM json_each(a.people)) LIMIT ?`
  const past = `SELECT ${BLOB} FROM attachments a JOIN projects p ON p.id = a.project_id
    WHERE a.day + coalesce(json_extract(p.options, '$.attachmentRetentionDays'), ?) < ? LIMIT ?`
  const found = db.all<AttachmentBlob>(ofIssues, [limit])
  if (found.length === 0) found.push(...db.all<AttachmentBlob>(ofPeople, [limit]))
  if (found.length > 0 || today === null) return found
  return db.all<AttachmentBlob>(past, [PROJECT_OPTIONS_DEFAULT.attachmentRetentionDays, today, limit])
}

function readAttachments(
  db: Connection,
  clause: string,
  params: Parameters<Connection['all']>[1],
): StoredAttachment[] {
  return db
    .all<Row>(`SELECT ${COLUMNS} FROM attachments ${clause}`, params)
    .map(({ people, groupHash, ...row }) => ({
      ...row,
      groupHash: groupHash?.length === 0 ? null : groupHash,
      people: JSON.parse(people), // written by addAttachments
    }))
}
