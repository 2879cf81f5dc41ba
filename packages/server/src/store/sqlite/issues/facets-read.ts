/** Tags as counted: of one issue, and over projects for suggestions. */
import type { IssueId } from '#base/ids.ts'
import { foldAscii, globOf } from '#model/text-pattern.ts'
import {
  type BoundMet,
  type BoundsMet,
  type BoundsMetQuery,
  type CountedValue,
  type IssuesRead,
  type TagDistribution,
  UNCOUNTED_TAG_KEYS,
} from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { CountedMatches } from '#ports/telemetry.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { readOthers } from '../ingest/group-rows.ts'
import { facetsOf, UNPACKED } from '../rows/facets-of.ts'
import { OTHER_KEYS } from '../rows/project-keys.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { FIELD_COLUMNS } from './issue-filter.ts'

type FacetsRead = Pick<
  IssuesRead,
  | 'tags'
  | 'tagsBeyond'
  | 'tagCount'
  | 'boundsMet'
  | 'facetValues'
  | 'issueValues'
  | 'facetKeys'
  | 'facetKeyCounts'
  | 'facetsLack'
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
      const sql = `${READABLE} SELECT f.value, sum(f.count) AS count FROM project_facets f
        WHERE f.project_id IN (SELECT id FROM readable) AND f.key_id = (SELECT id FROM tag_keys WHERE key = :key)
          AND f.value >= :prefix AND f.value < :end
        GROUP BY f.value ORDER BY sum(f.count) DESC, f.value LIMIT :limit`
      const params = { ...readableParams(scope), key, prefix, end: `${prefix}\u{10ffff}`, limit }
      return db.all<CountedValue>(sql, params)
    },
    issueValues: async (scope, field, { prefix, limit }) => {
      const column = FIELD_COLUMNS[field]
      const sql = `${READABLE} SELECT ${column} AS value, count(*) AS count FROM issues i
        WHERE i.project_id IN (SELECT id FROM readable) AND ${column} <> '' AND lower(${column}) GLOB :pattern
        GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit`
      const pattern = globOf(`${foldAscii(prefix).replaceAll('*', '')}*`)
      return db.all<CountedValue>(sql, { ...readableParams(scope), pattern, limit })
    },
    facetKeys: async (scope, prefix, limit) => {
      const sql = `${READABLE} SELECT k.key FROM tag_keys k
        WHERE k.key >= :prefix AND k.key < :end AND EXISTS (SELECT 1 FROM project_facet_keys f
          WHERE f.project_id IN (SELECT id FROM readable) AND f.key_id = k.id)
        ORDER BY k.key LIMIT :limit`
      const params = { ...readableParams(scope), prefix, end: `${prefix}\u{10ffff}`, limit }
      return db.all<{ key: string }>(sql, params).map((row) => row.key)
    },
    facetKeyCounts: async (scope, keys) => keyCounts(db, scope, keys),
    facetsLack: async (scope, key) => UNCOUNTED_TAG_KEYS.has(key) || facetsLack(db, scope, key),
  }
}

/** At most `facetValuesPerProjectMax` rows a project and key. */
function keyCounts(db: Connection, scope: ReadScope, keys: readonly string[]): readonly CountedValue[] {
  // The primary keys of project_facet_keys and project_facets.
  const sql = `${READABLE} SELECT k.key AS value, sum(p.other_count + (SELECT coalesce(sum(f.count), 0)
        FROM project_facets f WHERE f.project_id = p.project_id AND f.key_id = p.key_id)) AS count
      FROM tag_keys k JOIN project_facet_keys p ON p.key_id = k.id
      WHERE k.key IN (SELECT value FROM json_each(:keys)) AND p.project_id IN (SELECT id FROM readable)
      GROUP BY k.key HAVING count > 0 ORDER BY k.key`
  return db.all<CountedValue>(sql, { ...readableParams(scope), keys: JSON.stringify(keys) })
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
  // groups_facets_full; the primary keys of facets_lacking and facets. What is packed lacks no key.
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
  // groups_by_issue, the primary keys of facets and packed_facets. What is packed lacks no key.
  const sql = `${READABLE} SELECT g.event_count AS events, g.facets_full AS isFull, g.facets_other AS others,
      k.id AS keyId,
      EXISTS (SELECT 1 FROM facets f WHERE f.group_id = g.id AND f.key_id = k.id) AS isKept,
      coalesce(
        (SELECT f.count FROM facets f WHERE f.group_id = g.id AND f.key_id = k.id AND f.value = :value),
        (SELECT 1 FROM packed_facets p WHERE p.group_id = g.id
          AND EXISTS (SELECT 1 FROM ${UNPACKED} f WHERE f.key_id = k.id AND f.value = :value))) AS matching
    FROM groups g LEFT JOIN tag_keys k ON k.key = :key
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)`
  type Row = {
    readonly events: number
    readonly isFull: number
    readonly others: string | null
    readonly keyId: number | null
    readonly isKept: number
    readonly matching: number | null
  }
  const sum = { events: 0, matching: 0 }
  for (const row of db.all<Row>(sql, { ...readableParams(scope), id, key, value })) {
    const isOther = row.keyId !== null && readOthers(row.others).has(row.keyId)
    if (isOther || (row.isFull === 1 && row.isKept === 0)) return null
    sum.events += row.events
    sum.matching += row.matching ?? 0
  }
  return sum
}

const NO_VALUES = { eventsKept: 0, valuesKept: 0, values: [] } as const

/** Keys in alphabetical order. */
function tags(
  db: Connection,
  scope: ReadScope,
  { id, limitValues }: { readonly id: IssueId; readonly limitValues: number },
): readonly TagDistribution[] {
  const readable = { ...readableParams(scope), id }
  // groups_by_issue; the primary keys of facets and packed_facets: at most `facetKeysMax` × `facetValuesMax` rows a group.
  const facets = facetsOf('g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)')
  const sql = `${READABLE} SELECT keyId, value, count, firstSeenMs, lastSeenMs, valuesKept, eventsKept FROM (
      SELECT f.key_id AS keyId, f.value, sum(f.count) AS count, min(f.first_at_ms) AS firstSeenMs,
        max(f.last_at_ms) AS lastSeenMs,
        row_number() OVER (PARTITION BY f.key_id
          ORDER BY sum(f.count) DESC, max(f.last_at_ms) DESC, f.value) AS rank,
        count(*) OVER (PARTITION BY f.key_id) AS valuesKept,
        sum(sum(f.count)) OVER (PARTITION BY f.key_id) AS eventsKept
      FROM ${facets} f GROUP BY f.key_id, f.value)
    WHERE rank <= :limit ORDER BY keyId, rank`
  type Value = TagDistribution['values'][number]
  interface Kept {
    readonly valuesKept: number
    readonly eventsKept: number
  }
  const kept = new Map<number, Kept & { readonly values: Value[] }>()
  for (const { keyId, valuesKept, eventsKept, ...value } of db.all<Value & Kept & { readonly keyId: number }>(
    sql,
    { ...readable, limit: Math.max(1, limitValues) },
  )) {
    const known = kept.get(keyId)
    if (known === undefined) kept.set(keyId, { valuesKept, eventsKept, values: [value] })
    else known.values.push(value)
  }
  const others = othersOf(db, readable)
  const names = 'SELECT id, key FROM tag_keys WHERE id IN (SELECT value FROM json_each(?))'
  const ids = JSON.stringify([...new Set([...kept.keys(), ...others.keys()])])
  return db
    .all<{ readonly id: number; readonly key: string }>(names, [ids])
    .map(({ id: keyId, key }): TagDistribution => {
      const { eventsKept, valuesKept, values } = kept.get(keyId) ?? NO_VALUES
      const otherCount = others.get(keyId) ?? 0
      return {
        key,
        total: eventsKept + otherCount,
        otherCount,
        valuesKept,
        values: values.slice(0, limitValues),
      }
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Events counted as other, by key id, summed over the issue's groups. */
function othersOf(db: Connection, params: Readonly<Record<string, SqlValue>>): ReadonlyMap<number, number> {
  // groups_by_issue
  const sql = `${READABLE} SELECT CAST(o.key AS INTEGER) AS keyId, sum(o.value) AS count
    FROM groups g, json_each(g.facets_other) o
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable) GROUP BY o.key`
  const rows = db.all<{ readonly keyId: number; readonly count: number }>(sql, params)
  return new Map(rows.map(({ keyId, count }) => [keyId, count]))
}

function tagsBeyond(
  db: Connection,
  scope: ReadScope,
  id: IssueId,
): { readonly isFull: boolean; readonly tags: number } {
  // groups_by_issue
  const sql = `${READABLE} SELECT coalesce(max(g.facets_full), 0) AS isFull,
      coalesce(sum(json_extract(g.facets_other, '$."${OTHER_KEYS}"')), 0) AS tags
    FROM groups g
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)`
  const row = db.get<{ readonly isFull: number; readonly tags: number }>(sql, {
    ...readableParams(scope),
    id,
  })
  return { isFull: row?.isFull === 1, tags: row?.tags ?? 0 }
}
