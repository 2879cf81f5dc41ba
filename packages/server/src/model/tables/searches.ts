/** Searches that people keep, and how they have the issue list. */
import type { OrgId, UserId } from '#base/ids.ts'
import type { Density, IssueSort, ListColumn } from '../search-words.ts'
import { flag, id, json, looseRef, orNull, ref, table, text, time } from './table.ts'

export const SAVED_SEARCHES = table(
  'saved_searches',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    // NULL: an organisation token made it.
    ownerId: orNull(ref<UserId>('users')),
    name: text(),
    query: text(),
    sort: text<IssueSort>(),
    isShared: flag(),
    createdMs: time(),
  },
  {
    key: ['id'],
    indices: {
      saved_searches_by_org: { on: ['orgId', 'isShared', 'ownerId'] },
      saved_searches_by_owner: { on: ['ownerId'], where: 'owner_id IS NOT NULL' },
    },
  },
)

export const LIST_PREFERENCES = table(
  'list_preferences',
  {
    orgId: ref<OrgId>('organisations'),
    userId: ref<UserId>('users'),
    defaultSearch: orNull(looseRef('saved_searches')),
    density: text<Density>(),
    // Columns that are not shown.
    hiddenColumns: json<readonly ListColumn[]>(),
  },
  {
    key: ['orgId', 'userId'],
    indices: {
      list_preferences_by_search: { on: ['defaultSearch'] },
      list_preferences_by_user: { on: ['userId'] },
    },
  },
)
