/** Browsers’ echoes of server failures, and what finds the other half. */
import type { ProjectId } from '#base/ids.ts'
import { flag, kept, least, orNull, ref, table, text, time, whole, withDefault } from './table.ts'

/** Groups of which every event is a mirror. One that waits owns an issue whose substatus is 'waiting': no list has it, and its number is none of its project's (its id below zero) until it stands alone. */
export const MIRRORS = table(
  'mirrors',
  {
    groupId: ref('groups'),
    // When it stands alone, while it waits for the server's half.
    dueMs: orNull(time()),
    // While it is folded: 'digest', 'trace' or 'route', how sure that is, and how far apart the halves were.
    matched: orNull(text()),
    confidence: orNull(text()),
    distanceMs: orNull(time()),
    // A person said that it is another failure; it stays alone.
    keptApartMs: orNull(time()),
    keptApartBy: orNull(text()),
    // The server's issue owns as many groups as one may.
    isFull: withDefault(false, flag()),
    // Of one that stands alone without a digest: 8 bytes of what it says and where, so that a request more is
    // no issue more.
    family: orNull(whole()),
  },
  {
    key: ['groupId'],
    indices: {
      mirrors_due: { on: ['dueMs'], where: 'due_ms IS NOT NULL' },
      mirrors_by_family: { on: ['family'], where: 'family IS NOT NULL' },
    },
  },
)

/**
 * Sightings by which the server's half of a mirror is found. `trace`: 64 bits; for an event without one, of
 * its id.
 */
export const MIRROR_SIGHTINGS = table(
  'mirror_sightings',
  {
    groupId: ref('groups'),
    event: whole(),
    // NULL: none.
    trace: orNull(whole()),
    // '': none.
    route: text(),
    kind: text(),
    atMs: time(),
    place: withDefault(0, whole()),
  },
  {
    key: ['groupId', 'event'],
    indices: {
      mirror_sightings_by_trace: { on: ['trace'], where: 'trace IS NOT NULL' },
      mirror_sightings_by_route: { on: ['route', 'atMs'], where: 'trace IS NULL' },
    },
  },
)

/**
 * Failures of servers in the last days, one a trace and group. Rows outlive their group, and lead nowhere
 * then.
 */
export const SERVER_FAILURES = table(
  'server_failures',
  {
    trace: whole(),
    groupId: whole(),
    projectId: kept(ref<ProjectId>('projects')),
    kind: kept(text()),
    isHandled: least(flag()),
    atMs: least(time()),
    // Day of receipt.
    day: kept(whole()),
    place: kept(withDefault(0, whole())),
    ofSpan: least(withDefault(false, flag())),
  },
  {
    key: ['trace', 'groupId'],
    indices: {
      server_failures_by_place: { on: ['projectId', 'place', 'atMs'] },
      server_failures_of_spans: { on: ['trace', 'projectId'], where: 'of_span = 1' },
    },
  },
)
