/** Clicks of tabs that run an older build. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import {
  bytes,
  flag,
  greatest,
  id,
  json,
  least,
  newest,
  orNull,
  ref,
  sum,
  table,
  text,
  time,
  whole,
} from './table.ts'

/** Series by which clicks are counted apart. '': nobody says. */
export const STALE_SERIES = table(
  'stale_series',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    environment: text(),
    // The release that answered, and the one that the tab ran.
    release: text(),
    fromRelease: text(),
    failure: text(),
    route: text(),
    // JSON of StaleExample, of the newest click.
    example: newest('lastMs', json()),
    firstMs: least(time()),
    lastMs: greatest(time()),
  },
  {
    key: ['id'],
    unique: [['projectId', 'environment', 'release', 'fromRelease', 'failure', 'route']],
    indices: { stale_series_by_use: { on: ['projectId', 'lastMs'] } },
  },
)

/** `slot`: spans of ten minutes since 1970. */
export const STALE_SLOTS = table(
  'stale_slots',
  {
    seriesId: ref('stale_series'),
    slot: whole(),
    count: sum(whole()),
    // As those of a group.
    users: bytes(),
    usersExact: flag(),
  },
  {
    key: ['seriesId', 'slot'],
  },
)

/** Clicks of the last days one by one, so that their other half, which may come first or later, is not counted again. */
export const STALE_CLICKS = table(
  'stale_clicks',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    // Day of receipt.
    day: whole(),
    atMs: time(),
    trace: orNull(text()),
    seriesId: whole(),
    slot: whole(),
    // JSON of StaleClick.
    click: json(),
  },
  {
    key: ['id'],
    indices: {
      stale_clicks_by_trace: { on: ['projectId', 'trace'] },
      stale_clicks_by_time: { on: ['projectId', 'atMs'] },
      stale_clicks_by_day: { on: ['day'] },
    },
  },
)

/** Groups of stale clicks, and the deploy that each is of. The first of a deploy that owns its issue gets the others. */
export const SKEW_GROUPS = table(
  'skew_groups',
  {
    groupId: ref('groups'),
    orgId: whole<OrgId>(),
    environment: text(),
    // That took the place of the tabs' build.
    release: text(),
  },
  {
    key: ['groupId'],
    indices: {
      skew_groups_by_deploy: { on: ['orgId', 'environment', 'release'] },
    },
  },
)
