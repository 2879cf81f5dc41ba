/**
 * Deleting a person's data from what is counted. Events that are deleted count nowhere any more. Of those that retention
 * removed before, the count stays and the name goes: facet values that name the person become "other". Exact user sets
 * lose the person's hash; a sketch, of more than `usersExactMax` people, holds no one apart and stays as it is.
 */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { withoutGroupUsers } from '#issues/group-users.ts'
import { NamedPeople, sessionPeople, USER_TAG } from '#issues/named-people.ts'
import { hashUser } from '#model/user-hash.ts'
import type { PersonDeletion } from '#ports/care.ts'
import type { Connection } from '../connection.ts'
import { forgetWords, rememberWords } from '../ingest/facet-words.ts'
import { readOthers, readUsers, usersParams, writeOthers } from '../ingest/group-rows.ts'
import { usersOfIssue, writeUserCount } from '../ingest/issue-facts.ts'
import { forgetNumbers, unpackFacets } from '../ingest/packed-facets.ts'
import { takeFromHealth } from '../releases/health-prune.ts'
import { UNPACKED } from '../rows/facets-of.ts'
import { forgetStaleUsers } from '../skew/stale-clicks.ts'
import { takeLost } from './lost-events.ts'

export function forgetPerson(db: Connection, { projectId, person, people, groups }: PersonDeletion): void {
  const touched = new Set<IssueId>()
  takeLost(db, projectId, groups)
  const forget = (group: GroupRow, facets: readonly FacetRow[], users: readonly string[]) => {
    forgetFacets(db, group.id, facets)
    if (forgetUsers(db, group.id, users)) touched.add(group.issueId)
  }
  const names = new NamedPeople([person, ...people])
  unpackNaming(db, projectId, names)
  const named = facetsNaming(db, projectId, names)
  const gone = [...named.values()].flat()
  for (const [group, facets] of named) {
    forget(
      group,
      facets,
      facets.filter(({ key }) => key === USER_TAG).map(({ value }) => value),
    )
  }
  forgetSuggestions(db, projectId, names)
  takeFromHealth(db, projectId, sessionPeople([person, ...people]))
  forgetStaleUsers(db, projectId, [person, ...people])
  for (const { hash, users } of groups) {
    // The unique index on (project_id, hash).
    const sql = 'SELECT id, issue_id AS issueId FROM groups WHERE project_id = ? AND hash = ?'
    const group = db.get<GroupRow>(sql, [projectId, Buffer.from(hash, 'hex')])
    if (group === undefined) continue
    unpackFacets(db, group.id)
    const facets = users.flatMap((value) => userFacet(db, group.id, value))
    forget(group, facets, users)
    // Elsewhere in the project the name may stay.
    for (const facet of facets) takeFromSuggestions(db, projectId, facet)
    gone.push(...facets)
  }
  forgetNumbers(
    db,
    gone.map(({ keyId, value }) => ({ projectId, keyId, value })),
  )
  for (const id of touched) writeUserCount(db, id, usersOfIssue(db, id))
}

interface GroupRow {
  readonly id: number
  readonly issueId: IssueId
}

interface FacetRow {
  readonly keyId: number
  readonly key: string
  readonly value: string
  readonly count: number
}

/** Unpacks facets that name the people, to take from them as rows. */
function unpackNaming(db: Connection, projectId: ProjectId, names: NamedPeople): void {
  // groups by (project_id, hash), then the primary key of packed_facets: every one, because addresses are folded.
  const sql = `SELECT g.id FROM groups g CROSS JOIN packed_facets p ON p.group_id = g.id
    WHERE g.project_id = ? AND EXISTS (
      SELECT 1 FROM ${UNPACKED} f WHERE f.value COLLATE NOCASE IN (SELECT value FROM json_each(?)))`
  const params = [projectId, JSON.stringify(names.values)]
  for (const { id } of db.all<{ id: number }>(sql, params)) unpackFacets(db, id)
}

/** Returns facets of the whole project that name them: what is counted outlives the events that said it. */
function facetsNaming(
  db: Connection,
  projectId: ProjectId,
  names: NamedPeople,
): ReadonlyMap<GroupRow, readonly FacetRow[]> {
  // groups by (project_id, hash), then the primary key of facets: every row, because addresses are folded.
  const sql = `SELECT g.id, g.issue_id AS issueId, f.key_id AS keyId, k.key, f.value, f.count
    FROM groups g CROSS JOIN facets f ON f.group_id = g.id CROSS JOIN tag_keys k ON k.id = f.key_id
    WHERE g.project_id = ? AND f.value COLLATE NOCASE IN (SELECT value FROM json_each(?))`
  const byGroup = new Map<number, { readonly group: GroupRow; readonly facets: FacetRow[] }>()
  for (const { id, issueId, ...facet } of db.all<GroupRow & FacetRow>(sql, [
    projectId,
    JSON.stringify(names.values),
  ])) {
    if (!names.has(facet)) continue
    const known = byGroup.get(id)
    if (known === undefined) byGroup.set(id, { group: { id, issueId }, facets: [facet] })
    else known.facets.push(facet)
  }
  return new Map([...byGroup.values()].map(({ group, facets }) => [group, facets]))
}

/** Values that no group keeps are suggested all the same. */
function forgetSuggestions(db: Connection, projectId: ProjectId, names: NamedPeople): void {
  // The primary key of project_facets: at most `facetKeysPerProjectMax` × `facetValuesPerProjectMax` rows.
  const sql = `SELECT f.key_id AS keyId, k.key, f.value, f.count
    FROM project_facets f CROSS JOIN tag_keys k ON k.id = f.key_id
    WHERE f.project_id = ? AND f.value COLLATE NOCASE IN (SELECT value FROM json_each(?))`
  const drop = 'DELETE FROM project_facets WHERE project_id = ? AND key_id = ? AND value = ?'
  for (const facet of db.all<FacetRow>(sql, [projectId, JSON.stringify(names.values)])) {
    if (names.has(facet)) db.run(drop, [projectId, facet.keyId, facet.value])
  }
}

function takeFromSuggestions(db: Connection, projectId: ProjectId, { keyId, value, count }: FacetRow): void {
  const place = [projectId, keyId, value]
  const take = `UPDATE project_facets SET count = count - ? WHERE project_id = ? AND key_id = ? AND value = ?`
  db.run(take, [count, ...place])
  const drop = `DELETE FROM project_facets WHERE project_id = ? AND key_id = ? AND value = ? AND count <= 0`
  db.run(drop, place)
}

function userFacet(db: Connection, groupId: number, value: string): FacetRow[] {
  // The primary key of facets.
  const sql = `SELECT f.key_id AS keyId, k.key, f.value, f.count FROM tag_keys k JOIN facets f ON f.key_id = k.id
    WHERE k.key = ? AND f.group_id = ? AND f.value = ?`
  return db.all<FacetRow>(sql, [USER_TAG, groupId, value])
}

function forgetUsers(db: Connection, groupId: number, users: readonly string[]): boolean {
  if (users.length === 0) return false
  const set = readUsers(db, groupId)
  const left = withoutGroupUsers(set, new Set(users.map(hashUser)))
  if (left === set) return false
  const sql = 'UPDATE group_users SET is_exact = ?, state = ?, aliases = ? WHERE group_id = ?'
  db.run(sql, [...usersParams(left), groupId])
  return true
}

function forgetFacets(db: Connection, groupId: number, facets: readonly FacetRow[]): void {
  if (facets.length === 0) return
  const sql = 'SELECT facets_other AS others FROM groups WHERE id = ?'
  const others = readOthers(db.get<{ others: string | null }>(sql, [groupId])?.others ?? null)
  // A group's words go together: the index counts how many groups it has.
  const group = { where: 'g.id = ?', param: groupId } as const
  forgetWords(db, group)
  for (const { keyId, value, count } of facets) {
    others.set(keyId, (others.get(keyId) ?? 0) + count)
    db.run('DELETE FROM facets WHERE group_id = ? AND key_id = ? AND value = ?', [groupId, keyId, value])
    db.run('INSERT OR IGNORE INTO facets_lacking (key_id, group_id) VALUES (?, ?)', [keyId, groupId])
  }
  rememberWords(db, group)
  const counted = `UPDATE groups SET facets_other = ?,
    facet_count = (SELECT count(*) FROM facets WHERE group_id = groups.id) WHERE id = ?`
  db.run(counted, [writeOthers(others), groupId])
}
