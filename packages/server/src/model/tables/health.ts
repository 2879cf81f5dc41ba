/** Release health: what became of sessions, by release, environment and hour. */
import type { ProjectId } from '#base/ids.ts'
import { bytes, flag, id, ref, sum, table, text, whole } from './table.ts'

export const HEALTH_SERIES = table(
  'health_series',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    release: text(),
    // Empty where sessions name none.
    environment: text(),
  },
  {
    key: ['id'],
    unique: [['projectId', 'release', 'environment']],
  },
)

/** Each session is counted once, in the hour of its start, and in at most one column beside the first. */
export const HEALTH_HOURS = table(
  'health_hours',
  {
    seriesId: ref('health_series'),
    // Since 1970.
    hour: whole(),
    sessions: sum(whole()),
    errored: sum(whole()),
    unhandled: sum(whole()),
    abnormal: sum(whole()),
    crashed: sum(whole()),
  },
  {
    key: ['seriesId', 'hour'],
    indices: {
      health_hours_by_hour: { on: ['hour', 'seriesId'] },
    },
  },
)

/** People with sessions: hashes, or a sketch of them. */
export const HEALTH_PEOPLE = table(
  'health_people',
  {
    seriesId: ref('health_series'),
    // Hours that the row covers: 1 or 24, from `hour` on.
    span: whole(),
    hour: whole(),
    isCrashed: flag(),
    isExact: flag(),
    state: bytes(),
  },
  {
    key: ['seriesId', 'span', 'hour', 'isCrashed'],
    hasRowId: true,
  },
)

/** Sessions that may still change, so that no update counts one again. */
export const HEALTH_SESSIONS = table(
  'health_sessions',
  {
    projectId: ref<ProjectId>('projects'),
    // First eight bytes of the SHA-256 of its id.
    session: bytes(),
    // May be gone with its release.
    seriesId: whole(),
    hour: whole(),
    severity: whole(),
    // Hashes of its people, eight bytes each.
    people: bytes(),
  },
  {
    key: ['projectId', 'session'],
    indices: {
      health_sessions_by_hour: { on: ['hour'] },
    },
  },
)
