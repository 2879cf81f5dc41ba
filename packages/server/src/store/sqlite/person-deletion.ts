/**
 * Deleting a person's data from what is counted: the name goes, the count stays. Exact user sets lose the person's
 * hash; a sketch, of more than `usersExactMax` people, holds no one apart and stays as it is. Facet values that name
 * the person become "other".
 */
import type { IssueId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { AffectedGroup, PersonDeletion } from '#ports/retention.ts'
import type { Actor } from '#ports/scope.ts'
import { countOf } from './account-rows.ts'
import { appliedSeq } from './apply-batch.ts'
import { writeAudit } from './audit.ts'
import type { Connection } from './connection.ts'
import { readFacetKeys, readUsers } from './group-store.ts'
import { usersOfIssue, writeUserCount } from './issue-store.ts'
import { projectById } from './project-rows.ts'
import { encodeUsers, hashUser } from './user-set.ts'

export function deletePerson(db: Connection, deletion: PersonDeletion, actor: Actor): Result<null> {
  const { orgId, projectId, person, events, groups } = deletion
  const project = projectById(db, orgId, projectId)
  if (project === null) return refuse('not_found', 'The project does not exist.')
  db.run('DELETE FROM person_tombstones WHERE project_id = ? AND person = ?', [projectId, person])
  const sql = 'SELECT count(*) AS count FROM person_tombstones WHERE project_id = ?'
  if (countOf(db, sql, [projectId]) >= max('peopleDeletedMax')) {
    return refuse('conflict', 'Too many deletions of this project wait for compaction. Try again tomorrow.')
  }
  const insert = `INSERT INTO person_tombstones (project_id, person, up_to_seq, created_ms) VALUES (?, ?, ?, ?)`
  db.run(insert, [projectId, person, appliedSeq(db), Math.floor(actor.atMs)])
  forgetPerson(db, deletion)
  writeAudit(db, orgId, actor, {
    action: 'person.deleted',
    target: project.name,
    detail: { by: person.slice(0, person.indexOf(':')), events, groups: groups.length },
  })
  return ok(null)
}

function forgetPerson(db: Connection, { projectId, person, groups }: PersonDeletion): void {
  const touched = new Set<IssueId>()
  for (const group of groups) {
    // The unique index on (project_id, hash).
    const find = 'SELECT id, issue_id AS issueId FROM groups WHERE project_id = ? AND hash = ?'
    const params = [projectId, Buffer.from(group.hash, 'hex')]
    const row = db.get<{ id: number; issueId: IssueId }>(find, params)
    if (row === undefined) continue
    if (forgetUsers(db, row.id, group)) touched.add(row.issueId)
    for (const value of valuesOf(person, group)) forgetFacets(db, { ...value, groupId: row.id, projectId })
  }
  for (const id of touched) writeUserCount(db, id, usersOfIssue(db, id))
}

function forgetUsers(db: Connection, groupId: number, { users }: AffectedGroup): boolean {
  const set = readUsers(db, groupId)
  if (!set.isExact) return false
  const gone = new Set(users.map(hashUser))
  const hashes = set.hashes.filter((one) => !gone.has(one))
  if (hashes.length === set.hashes.length) return false
  const state = encodeUsers({ isExact: true, hashes })
  db.run('UPDATE group_users SET state = ? WHERE group_id = ?', [state, groupId])
  return true
}

interface NamingValue {
  readonly value: string
  /** The tag key that it stands under; `null`: under any. */
  readonly key: string | null
}

/** An id such as `42` says nothing under another key; a mail address or a client address names a person anywhere. */
function valuesOf(person: string, { users }: AffectedGroup): readonly NamingValue[] {
  const [kind, bare] = [person.slice(0, person.indexOf(':')), person.slice(person.indexOf(':') + 1)]
  const named = users.map((value): NamingValue => ({ value, key: 'user' }))
  if (kind === 'email' || kind === 'ip') return [...named, { value: bare, key: null }]
  return [...named, ...[`user.${kind}`, `user_${kind}`].map((key) => ({ value: bare, key }))]
}

interface FacetRow {
  readonly keyId: number
  readonly value: string
  readonly count: number
}

function forgetFacets(
  db: Connection,
  { value, key, groupId, projectId }: NamingValue & { readonly groupId: number; readonly projectId: number },
): void {
  // The primary key of facets; a group has at most `facetKeysMax` × `facetValuesMax` of them.
  const sql = `SELECT f.key_id AS keyId, f.value, f.count FROM facets f JOIN tag_keys k ON k.id = f.key_id
    WHERE f.group_id = :group AND lower(f.value) = lower(:value) AND (:key IS NULL OR k.key = :key)`
  const found = db.all<FacetRow>(sql, { group: groupId, value, key })
  if (found.length === 0) return
  const state = db.get<{ keys: string }>('SELECT facet_keys AS keys FROM group_state WHERE group_id = ?', [
    groupId,
  ])
  const keys = new Map(readFacetKeys(state?.keys ?? '{}'))
  for (const facet of found) {
    const [total, kept, other] = keys.get(facet.keyId) ?? [facet.count, 1, 0]
    keys.set(facet.keyId, [total, Math.max(0, kept - 1), other + facet.count])
    const place = [facet.keyId, facet.value]
    db.run('DELETE FROM facets WHERE group_id = ? AND key_id = ? AND value = ?', [groupId, ...place])
    db.run('INSERT OR IGNORE INTO facets_lacking (key_id, group_id) VALUES (?, ?)', [facet.keyId, groupId])
    const take = `UPDATE project_facets SET count = count - ? WHERE project_id = ? AND key_id = ? AND value = ?`
    db.run(take, [facet.count, projectId, ...place])
    const drop = `DELETE FROM project_facets WHERE project_id = ? AND key_id = ? AND value = ? AND count <= 0`
    db.run(drop, [projectId, ...place])
  }
  const json = JSON.stringify(Object.fromEntries(keys))
  db.run('UPDATE group_state SET facet_keys = ? WHERE group_id = ?', [json, groupId])
}
