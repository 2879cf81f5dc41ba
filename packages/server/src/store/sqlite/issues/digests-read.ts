/** From the number of an error page to the issue behind it. */
import type { IssueId } from '#base/ids.ts'
import type { DigestMatch, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function digestsRead(
  db: Connection,
): Pick<IssuesRead, 'digests' | 'digestsOfIssue' | 'newestDigests'> {
  return {
    digests: async (scope, digests) => {
      // digests_by_digest
      const sql = `${READABLE} ${SELECT}
        WHERE d.digest IN (SELECT value FROM json_each(:digests)) AND g.project_id IN (SELECT id FROM readable)
        ${NEWEST_RELEASE_FIRST}`
      return db
        .all<DigestRow>(sql, { ...readableParams(scope), digests: JSON.stringify(digests) })
        .map(readDigestMatch)
    },
    digestsOfIssue: async (scope, id, limit) => digestsOfIssue(db, scope, { id, limit }),
    newestDigests: async (scope, ids) => newestDigests(db, scope, ids),
  }
}

/**
 * A release is as new as its first sighting of the digest. Within one, a server's own failure stands before its
 * echoes in browsers.
 */
const SELECT = `SELECT d.digest, g.issue_id AS issueId, g.project_id AS projectId, lower(hex(g.hash)) AS groupHash,
    nullif(d.release, '') AS release, d.environment, d.route, d.request_kind AS requestKind, d.event_id AS eventId,
    d.trace_id AS traceId, d.count, d.mirror_count AS mirrorCount, d.verified, d.first_seen_ms AS firstSeenMs,
    d.last_seen_ms AS lastSeenMs, min(d.first_seen_ms) OVER (PARTITION BY d.digest, d.release) AS releaseMs
  FROM digests d JOIN groups g ON g.id = d.group_id`
const NEWEST_RELEASE_FIRST = `ORDER BY releaseMs DESC, d.mirror_count = d.count, d.last_seen_ms DESC, d.id DESC`

type DigestRow = Omit<DigestMatch, 'verified'> & {
  readonly verified: number | null
  readonly releaseMs: number
}

function readDigestMatch({ releaseMs: _, verified, ...row }: DigestRow): DigestMatch {
  return { ...row, verified: verified === null ? null : verified === 1 }
}

function digestsOfIssue(
  db: Connection,
  scope: ReadScope,
  { id, limit }: { readonly id: IssueId; readonly limit: number },
): readonly DigestMatch[] {
  // groups_by_issue, then the unique index of digests on group_id.
  const sql = `${READABLE} ${SELECT}
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable) ${NEWEST_RELEASE_FIRST} LIMIT :limit`
  return db.all<DigestRow>(sql, { ...readableParams(scope), id, limit }).map(readDigestMatch)
}

function newestDigests(db: Connection, scope: ReadScope, ids: readonly IssueId[]) {
  // groups_by_issue, then the unique index of digests on group_id. At most a page of issues.
  const sql = `${READABLE} ${SELECT}
    WHERE g.issue_id IN (SELECT value FROM json_each(:ids)) AND g.project_id IN (SELECT id FROM readable)
    ${NEWEST_RELEASE_FIRST}`
  const rows = db.all<DigestRow>(sql, { ...readableParams(scope), ids: JSON.stringify(ids) })
  const newest = new Map<IssueId, Pick<DigestMatch, 'issueId' | 'digest'>>()
  for (const { issueId, digest } of rows) if (!newest.has(issueId)) newest.set(issueId, { issueId, digest })
  return [...newest.values()]
}
