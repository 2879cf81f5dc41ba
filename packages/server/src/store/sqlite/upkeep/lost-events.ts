/** Takes events that are deleted from all that counts them: group and issue, hours, tags, and what is suggested. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { AffectedGroup, LostCounts } from '#ports/care.ts'
import type { Connection } from '../connection.ts'
import { forgetWords, rememberWords } from '../ingest/facet-words.ts'
import { readOthers, writeOthers } from '../ingest/group-rows.ts'
import { unpackFacets } from '../ingest/packed-facets.ts'
import { OTHER_KEYS } from '../rows/project-keys.ts'

interface GroupRow {
  readonly id: number
  readonly issueId: IssueId
  readonly others: string | null
}

export function takeLost(db: Connection, projectId: ProjectId, groups: readonly AffectedGroup[]): void {
  for (const { hash, lost } of groups) {
    if (lost.events === 0) continue
    // The unique index on (project_id, hash).
    const sql = `SELECT id, issue_id AS issueId, facets_other AS others FROM groups WHERE project_id = ? AND hash = ?`
    const group = db.get<GroupRow>(sql, [projectId, Buffer.from(hash, 'hex')])
    if (group === undefined) continue
    takeEvents(db, group, lost)
    takeTags(db, projectId, { group, tags: lost.tags })
  }
}

/** Whether an event kept its payload is not known of each: at most as many keep one as there are. */
const TAKE = `event_count = max(0, event_count - :events), mirror_count = max(0, mirror_count - :mirrors),
  payload_count = min(payload_count, max(0, event_count - :events))`

function takeEvents(db: Connection, { id, issueId }: GroupRow, { events, mirrors, hours }: LostCounts): void {
  db.run(`UPDATE groups SET ${TAKE} WHERE id = :id`, { id, events, mirrors })
  db.run(`UPDATE issues SET ${TAKE} WHERE id = :id`, { id: issueId, events, mirrors })
  for (const [hour, count] of hours) {
    db.run('UPDATE group_hours SET count = count - ? WHERE group_id = ? AND hour = ?', [count, id, hour])
    db.run('DELETE FROM group_hours WHERE group_id = ? AND hour = ? AND count <= 0', [id, hour])
  }
}

function takeTags(
  db: Connection,
  projectId: ProjectId,
  { group, tags }: { readonly group: GroupRow; readonly tags: LostCounts['tags'] },
): void {
  const { id } = group
  unpackFacets(db, id)
  const others = readOthers(group.others)
  // A group's words go together: the index counts how many groups it has.
  const words = { where: 'g.id = ?', param: id } as const
  forgetWords(db, words)
  for (const { key, value, count } of tags) {
    const keyId = db.get<{ id: number }>('SELECT id FROM tag_keys WHERE key = ?', [key])?.id ?? null
    const isKept = keyId !== null && takeFacet(db, { id, keyId }, { value, count })
    if (!isKept) takeOther(others, keyId !== null && others.has(keyId) ? keyId : OTHER_KEYS, count)
    if (keyId !== null) takeSuggested(db, { projectId, keyId }, { value, count })
  }
  rememberWords(db, words)
  const lacking = `DELETE FROM facets_lacking WHERE group_id = ? AND key_id NOT IN (SELECT value FROM json_each(?))`
  db.run(lacking, [id, JSON.stringify([...others.keys()])])
  const counted = `UPDATE groups SET facets_other = ?,
    facet_count = (SELECT count(*) FROM facets WHERE group_id = groups.id) WHERE id = ?`
  db.run(counted, [writeOthers(others), id])
}

interface Counted {
  readonly value: string
  readonly count: number
}

/** False where the group does not keep the value apart. */
function takeFacet(
  db: Connection,
  { id, keyId }: { readonly id: number; readonly keyId: number },
  { value, count }: Counted,
): boolean {
  const place = [id, keyId, value]
  const take = 'UPDATE facets SET count = count - ? WHERE group_id = ? AND key_id = ? AND value = ?'
  if (db.run(take, [count, ...place]).changes === 0) return false
  db.run('DELETE FROM facets WHERE group_id = ? AND key_id = ? AND value = ? AND count <= 0', place)
  return true
}

function takeOther(others: Map<number, number>, keyId: number, count: number): void {
  const left = (others.get(keyId) ?? 0) - count
  if (left > 0) others.set(keyId, left)
  else others.delete(keyId)
}

function takeSuggested(
  db: Connection,
  { projectId, keyId }: { readonly projectId: ProjectId; readonly keyId: number },
  { value, count }: Counted,
): void {
  const place = [projectId, keyId, value]
  const take = 'UPDATE project_facets SET count = count - ? WHERE project_id = ? AND key_id = ? AND value = ?'
  if (db.run(take, [count, ...place]).changes === 0) {
    const other = `UPDATE project_facet_keys SET other_count = max(0, other_count - ?)
      WHERE project_id = ? AND key_id = ?`
    db.run(other, [count, projectId, keyId])
    return
  }
  db.run('DELETE FROM project_facets WHERE project_id = ? AND key_id = ? AND value = ? AND count <= 0', place)
}
