/** Values of tags, counted by group and by project. What filters find groups by is an index of words beside these tables. */
import type { ProjectId } from '#base/ids.ts'
import { greatest, json, least, ref, rowId, sum, table, text, time, whole, withDefault } from './table.ts'

export const TAG_KEYS = table(
  'tag_keys',
  {
    id: rowId(),
    key: text(),
  },
  {
    key: ['id'],
    unique: [['key']],
  },
)

export const FACETS = table(
  'facets',
  {
    groupId: ref('groups'),
    keyId: whole(),
    value: text(),
    count: sum(whole()),
    // Milliseconds after the group's `base_ms`.
    firstMs: least(time()),
    lastMs: greatest(time()),
  },
  {
    key: ['groupId', 'keyId', 'value'],
  },
)

/** Keys of a group with more values than are kept apart: what filters by facets cannot answer alone. */
export const FACETS_LACKING = table(
  'facets_lacking',
  {
    keyId: whole(),
    groupId: ref('groups'),
  },
  {
    key: ['keyId', 'groupId'],
    indices: {
      facets_lacking_by_group: { on: ['groupId'] },
    },
  },
)

/** Facets of a group that has one event, until it has another: a list in JSON instead of a row each. A number is a row of facet_values, a text is `key id:value`. */
export const PACKED_FACETS = table(
  'packed_facets',
  {
    groupId: ref('groups'),
    facets: json(),
  },
  {
    key: ['groupId'],
  },
)

/** Values that packed facets name by number: the first of each key. */
export const FACET_VALUES = table(
  'facet_values',
  {
    id: rowId(),
    projectId: ref<ProjectId>('projects'),
    keyId: whole(),
    value: text(),
  },
  {
    key: ['id'],
    unique: [['projectId', 'keyId', 'value']],
  },
)

/** Known values of a key over a project, for suggestions and menus. */
export const PROJECT_FACETS = table(
  'project_facets',
  {
    projectId: ref<ProjectId>('projects'),
    keyId: whole(),
    value: text(),
    count: sum(whole()),
    lastMs: greatest(time()),
  },
  {
    key: ['projectId', 'keyId', 'value'],
  },
)

/** Which keys a project has values of: the bound, and what search suggests as keys. */
export const PROJECT_FACET_KEYS = table(
  'project_facet_keys',
  {
    projectId: ref<ProjectId>('projects'),
    // 0: all keys beyond those that it keeps.
    keyId: whole(),
    // Events whose value is not among those that the project keeps apart.
    otherCount: sum(withDefault(0, whole())),
  },
  {
    key: ['projectId', 'keyId'],
  },
)
