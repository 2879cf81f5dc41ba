/** Facets as they are read, in rows and packed: see `packed-facets.ts`. */

const KEY = 'coalesce(v.key_id, CAST(t.value AS INTEGER))'
const VALUE = `coalesce(v.value, substr(t.value, instr(t.value, ':') + 1))`
const LISTED = 'json_each(p.facets) t LEFT JOIN facet_values v ON v.id = t.value'

/** A table of `key_id` and `value`: what is packed in `packed_facets p`. */
export const UNPACKED = `(SELECT ${KEY} AS key_id, ${VALUE} AS value FROM ${LISTED})`

/** Facets of a list of groups that are packed, `:packed`. */
export const PACKED_OF_GROUPS = `SELECT p.group_id AS groupId, ${KEY} AS keyId, ${VALUE} AS value
  FROM packed_facets p CROSS JOIN ${LISTED} WHERE p.group_id IN (SELECT value FROM json_each(:packed))`

/** All facets of groups `g` that meet a condition, in rows and packed, as a table; its times are whole ones. */
export function facetsOf(groups: string): string {
  return `(SELECT g.id AS group_id, g.project_id, f.key_id, f.value, f.count, g.base_ms + f.first_ms AS first_at_ms,
      g.base_ms + f.last_ms AS last_at_ms
    FROM groups g CROSS JOIN facets f ON f.group_id = g.id WHERE ${groups}
    UNION ALL SELECT g.id, g.project_id, ${KEY}, ${VALUE}, 1, g.base_ms, g.base_ms
    FROM groups g CROSS JOIN packed_facets p ON p.group_id = g.id CROSS JOIN ${LISTED} WHERE ${groups})`
}
