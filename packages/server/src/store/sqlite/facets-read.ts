/** Tags as counted: of one issue, and over projects for suggestions. */
import type { IssueId } from '#base/ids.ts'
import {
  type BoundMet,
  type BoundsMet,
  type BoundsMetQuery,
  type IssuesRead,
  type TagDistribution,
  UNCOUNTED_TAG_KEYS,
} from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { CountedMatches } from '#ports/telemetry.ts'
import type { Connection } from './connection.ts'
import { readFacetKeys } from './group-store.ts'
import { OTHER_KEYS } from './project-keys.ts'
import { READABLE, readableParams } from './readable.ts'

type FacetsRead = Pick<
  IssuesRead,
  'tags' | 'tagsBeyond' | 'tagCount' | 'boundsMet' | 'facetValues' | 'facetKeys' | 'facetsLack'
>

export function facetsRead(db: Connection): FacetsRead {
  return {
    tags: async (scope, id, limitValues) => db.snapshot(() => tags(db, scope, { id, limitValues })),
    tagsBeyond: async (scope, id) => tagsBeyond(db, scope, id),
    boundsMet: async (scope, query) => boundsMet(db, scope, query),
    tagCount: async (scope, id, tag) =>
      UNCOUNTED_TAG_KEYS.has(tag.key) ? null : db.snapshot(() => tagCount(db, scope, { id, ...tag })),
    facetValues: async (scope, key, prefix, limit) => {
      // The primary key of project_facets.
      const sql = `${READABLE} SELECT f.value FROM project_facets f
        WHERE f.project_id IN (SELECT id FROM readable) AND f.key_id = (SELECT id FROM tag_keys WHERE key = :key)
          AND f.value >= :prefix AND f.value < :end
        GROUP BY f.value ORDER BY sum(f.count) DESC, f.value LIMIT :limit`
      const params = { ...readableParams(scope), key, prefix, end: `${prefix}\u{10ffff}`, limit }
      return db.all<{ value: string }>(sql, params).map(({ value }) => value)
    },
    facetKeys: async (scope, prefix, limit) => {
      const sql = `${READABLE} SELECT k.key FROM tag_keys k
        WHERE k.key >= :prefix AND k.key < :end AND EXISTS (SELECT 1 FROM project_facet_keys f
          WHERE f.project_id IN (SELECT id FROM readable) AND f.key_id = k.id)
        ORDER BY k.key LIMIT :limit`
      const params = { ...readableParams(scope), prefix, end: `${prefix}\u{10ffff}`, limit }
      return db.all<{ key: string }>(sql, params).map((row) => row.key)
    },
    facetsLack: async (scope, key) => UNCOUNTED_TAG_KEYS.has(key) || facetsLack(db, scope, key),
  }
}

function boundsMet(db: Connection, scope: ReadScope, { projects, key, limit }: BoundsMetQuery): BoundsMet {
  // The primary key of project_facet_keys; the sums are of what is matched before the limit.
  const sql = `${READABLE} SELECT f.project_id AS projectId, k.key, f.other_count AS otherCount,
      count(*) OVER () AS total, sum(f.other_count) OVER () AS allOther
    FROM project_facet_keys f LEFT JOIN tag_keys k ON k.id = f.key_id
    WHERE f.project_id IN (SELECT id FROM readable) AND f.other_count > 0 AND (:key IS NULL OR k.key = :key)
    ORDER BY f.other_count DESC, f.project_id, f.key_id LIMIT :limit`
  type Row = BoundMet & { readonly total: number; readonly allOther: number }
  const rows = db.all<Row>(sql, { ...readableParams(scope, projects), key, limit })
  return {
    bounds: rows.map(({ total, allOther, ...bound }) => bound),
    total: rows[0]?.total ?? 0,
    otherCount: rows[0]?.allOther ?? 0,
  }
}

/**
 * True when some group has more values of the key than are kept, or left keys out and has none of this one: then a
 * condition on the key needs the events themselves.
 */
function facetsLack(db: Connection, scope: ReadScope, key: string): boolean {
  // groups_facets_full; the primary keys of facets_lacking and facets.
  const sql = `${READABLE}, tag (id) AS (SELECT id FROM tag_keys WHERE key = :key)
    SELECT EXISTS (SELECT 1 FROM facets_lacking l JOIN groups g ON g.id = l.group_id
        WHERE l.key_id = (SELECT id FROM tag) AND g.project_id IN (SELECT id FROM readable))
      OR EXISTS (SELECT 1 FROM groups g INDEXED BY groups_facets_full
        WHERE g.facets_full = 1 AND g.project_id IN (SELECT id FROM readable) AND NOT EXISTS (
          SELECT 1 FROM facets f WHERE f.group_id = g.id AND f.key_id = (SELECT id FROM tag))) AS lacks`
  return db.get<{ lacks: number }>(sql, { ...readableParams(scope), key })?.lacks === 1
}

/** A group that counts some values as other, or left keys out, does not know how often this one came. */
function tagCount(
  db: Connection,
  scope: ReadScope,
  { id, key, value }: { readonly id: IssueId; readonly key: string; readonly value: string },
): CountedMatches | null {
  // groups_by_issue, the primary key of facets.
  const sql = `${READABLE} SELECT g.event_count AS events, g.facets_full AS isFull, s.facet_keys AS facetKeys, k.id AS keyId,
      (SELECT f.count FROM facets f WHERE f.group_id = g.id AND f.key_id = k.id AND f.value = :value) AS matching
    FROM groups g JOIN group_state s ON s.group_id = g.id LEFT JOIN tag_keys k ON k.key = :key
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)`
  type Row = {
    events: number
    isFull: number
    facetKeys: string
    keyId: number | null
    matching: number | null
  }
  const sum = { events: 0, matching: 0 }
  for (const row of db.all<Row>(sql, { ...readableParams(scope), id, key, value })) {
    const counts = row.keyId === null ? undefined : readFacetKeys(row.facetKeys).get(row.keyId)
    if (counts === undefined ? row.isFull === 1 : counts[2] > 0) return null
    sum.events += row.events
    sum.matching += row.matching ?? 0
  }
  return sum
}

const NO_VALUES = { valuesKept: 0, values: [] } as const

/** Keys in alphabetical order. */
function tags(
  db: Connection,
  scope: ReadScope,
  { id, limitValues }: { readonly id: IssueId; readonly limitValues: number },
): readonly TagDistribution[] {
  const totals = keyTotals(db, scope, id)
  if (totals.size === 0) return []
  // The primary key of facets: at most `facetKeysMax` × `facetValuesMax` rows a group.
  const sql = `SELECT keyId, value, count, firstSeenMs, lastSeenMs, valuesKept FROM (
      SELECT f.key_id AS keyId, f.value, sum(f.count) AS count, min(f.first_ms) AS firstSeenMs,
        max(f.last_ms) AS lastSeenMs,
        row_number() OVER (PARTITION BY f.key_id ORDER BY sum(f.count) DESC, max(f.last_ms) DESC, f.value) AS rank,
        count(*) OVER (PARTITION BY f.key_id) AS valuesKept
      FROM groups g CROSS JOIN facets f ON f.group_id = g.id WHERE g.issue_id = :id GROUP BY f.key_id, f.value)
    WHERE rank <= :limit ORDER BY keyId, rank`
  type Value = TagDistribution['values'][number]
  type Row = Value & { readonly keyId: number; readonly valuesKept: number }
  const kept = new Map<number, { readonly valuesKept: number; readonly values: Value[] }>()
  for (const { keyId, valuesKept, ...value } of db.all<Row>(sql, { id, limit: limitValues })) {
    const known = kept.get(keyId)
    if (known === undefined) kept.set(keyId, { valuesKept, values: [value] })
    else known.values.push(value)
  }
  return [...totals]
    .map(([keyId, sums]): TagDistribution => ({ ...sums, ...(kept.get(keyId) ?? NO_VALUES) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

function tagsBeyond(
  db: Connection,
  scope: ReadScope,
  id: IssueId,
): { readonly isFull: boolean; readonly tags: number } {
  // groups_by_issue
  const sql = `${READABLE} SELECT coalesce(max(g.facets_full), 0) AS isFull,
      coalesce(sum(json_extract(s.facet_keys, '$."${OTHER_KEYS}"[0]')), 0) AS tags
    FROM groups g JOIN group_state s ON s.group_id = g.id
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)`
  const row = db.get<{ readonly isFull: number; readonly tags: number }>(sql, {
    ...readableParams(scope),
    id,
  })
  return { isFull: row?.isFull === 1, tags: row?.tags ?? 0 }
}

type KeySums = Pick<TagDistribution, 'key' | 'total' | 'otherCount'>

/** Events per key, summed over the issue's groups; empty for an issue outside the scope. */
function keyTotals(db: Connection, scope: ReadScope, id: IssueId): ReadonlyMap<number, KeySums> {
  // groups_by_issue
  const sql = `${READABLE} SELECT s.facet_keys AS facetKeys FROM groups g JOIN group_state s ON s.group_id = g.id
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)`
  const sums = new Map<number, { total: number; otherCount: number }>()
  for (const { facetKeys } of db.all<{ facetKeys: string }>(sql, { ...readableParams(scope), id })) {
    for (const [keyId, [total, , other]] of readFacetKeys(facetKeys)) {
      const before = sums.get(keyId) ?? { total: 0, otherCount: 0 }
      sums.set(keyId, { total: before.total + total, otherCount: before.otherCount + other })
    }
  }
  const names = 'SELECT id, key FROM tag_keys WHERE id IN (SELECT value FROM json_each(?))'
  const keys = db.all<{ id: number; key: string }>(names, [JSON.stringify([...sums.keys()])])
  return new Map(
    keys.map(({ id: keyId, key }) => [keyId, { key, ...(sums.get(keyId) ?? { total: 0, otherCount: 0 }) }]),
  )
}
