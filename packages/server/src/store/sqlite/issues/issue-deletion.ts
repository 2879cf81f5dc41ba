/** Deleting issues: their rows go at once, their events are hidden by tombstones until compaction removes them. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'
import { forgetWords } from '../ingest/facet-words.ts'
import { forgetNumbers } from '../ingest/packed-facets.ts'
import { appliedSeq } from '../rows/applied-seq.ts'
import { facetsOf } from '../rows/facets-of.ts'
import { forgetText } from '../rows/issue-texts.ts'
import { releaseUnreadable } from './mirror-folding.ts'

/** An event that comes later begins a fresh issue: the tombstones reach up to what is applied. */
export function removeIssues(
  db: Connection,
  issues: readonly IssueId[],
  { projects, atMs }: { readonly projects: readonly ProjectId[]; readonly atMs: number },
): void {
  const upToSeq = appliedSeq(db)
  for (const id of issues) {
    releaseUnreadable(db, { issueId: id, projects }, atMs)
    buryGroups(db, id, { upToSeq, atMs: Math.floor(atMs) })
    const said = facetsOfIssue(db, id)
    takeFromProjectFacets(db, said)
    forgetText(db, id)
    forgetWords(db, { where: 'g.issue_id = ?', param: id })
    // Groups and everything below them follow by their foreign keys.
    db.run('DELETE FROM issues WHERE id = ?', [id])
    forgetNumbers(db, said)
  }
}

function buryGroups(
  db: Connection,
  id: IssueId,
  { upToSeq, atMs }: { readonly upToSeq: number; readonly atMs: number },
): void {
  // tombstones_by_group: a group that was deleted before has one row, which moves.
  const older = `DELETE FROM tombstones WHERE rowid IN (
    SELECT t.rowid FROM groups g JOIN tombstones t ON t.project_id = g.project_id AND t.hash = g.hash
    WHERE g.issue_id = ?)`
  db.run(older, [id])
  const bury = `INSERT INTO tombstones (project_id, hash, up_to_seq, created_ms)
    SELECT project_id, hash, ?, ? FROM groups WHERE issue_id = ?`
  db.run(bury, [upToSeq, atMs, id])
}

interface SaidFacet {
  readonly projectId: ProjectId
  readonly keyId: number
  readonly value: string
  readonly count: number
}

function facetsOfIssue(db: Connection, id: IssueId): readonly SaidFacet[] {
  const sql = `SELECT f.project_id AS projectId, f.key_id AS keyId, f.value, sum(f.count) AS count
    FROM ${facetsOf('g.issue_id = :id')} f GROUP BY f.project_id, f.key_id, f.value`
  return db.all<SaidFacet>(sql, { id })
}

/** Takes from suggestions what only deleted issues said. */
function takeFromProjectFacets(db: Connection, said: readonly SaidFacet[]): void {
  const take = 'UPDATE project_facets SET count = count - ? WHERE project_id = ? AND key_id = ? AND value = ?'
  const drop = 'DELETE FROM project_facets WHERE project_id = ? AND key_id = ? AND value = ? AND count <= 0'
  for (const { projectId, keyId, value, count } of said) {
    db.run(take, [count, projectId, keyId, value])
    db.run(drop, [projectId, keyId, value])
  }
}
