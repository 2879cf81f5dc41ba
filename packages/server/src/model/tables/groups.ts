/** Groups of events, which issues own. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import {
  bytes,
  flag,
  greatest,
  id,
  json,
  least,
  orNull,
  ref,
  rowId,
  sum,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

/** Groups, as the commit counts them. Narrow, because filters by tag pass through it. */
export const GROUPS = table(
  'groups',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    // 16 bytes.
    hash: bytes(),
    // Of its items; it names their files.
    kind: text(),
    issueId: ref<IssueId>('issues'),
    eventCount: sum(whole()),
    mirrorCount: sum(whole()),
    firstSeenMs: least(time()),
    lastSeenMs: greatest(time()),
    // Events that keep their payload, and the newest of them: 16 bytes, and milliseconds after `base_ms`.
    // NULL: it is the newest event.
    payloadCount: sum(withDefault(0, whole())),
    payloadEventId: orNull(bytes()),
    payloadAfterMs: orNull(time()),
    // What the times of its facets and of its payload count from.
    baseMs: withDefault(0, time()),
    // Rows of facets.
    facetCount: withDefault(0, whole()),
    // JSON object: key id to events counted as other (0: tags under keys that are not kept); NULL: none.
    facetsOther: orNull(json()),
    // 1 when a tag key was left out because `facetKeysMax` were kept already.
    facetsFull: withDefault(false, flag()),
    foldedInto: orNull(whole()),
  },
  {
    key: ['id'],
    unique: [['projectId', 'hash']],
    indices: {
      groups_by_issue: { on: ['issueId', 'id'] },
      groups_facets_full: { on: ['projectId'], where: 'facets_full = 1' },
      groups_folded: { on: ['foldedInto'], where: 'folded_into IS NOT NULL' },
    },
  },
)

/** Shares of groups in an issue of several; what an issue's only group has said stands in the issue's row. */
export const GROUP_SHARES = table(
  'group_shares',
  {
    groupId: ref('groups'),
    firstRelease: orNull(text()),
    firstReleaseMs: orNull(time()),
    lastRelease: orNull(text()),
    lastReleaseMs: orNull(time()),
    // JSON objects, name to count.
    kinds: json(),
    routes: json(),
    // JSON of StoredFacts of the newest event, and its time.
    facts: json(),
    factsMs: time(),
  },
  {
    key: ['groupId'],
  },
)

/** Sorted 64-bit hashes while exact, registers of a sketch after. */
export const GROUP_USERS = table(
  'group_users',
  {
    groupId: ref('groups'),
    isExact: flag(),
    state: bytes(),
    aliases: orNull(bytes()),
  },
  {
    key: ['groupId'],
  },
)

/** Events per hour of event time; `hour` counts hours since 1970. */
export const GROUP_HOURS = table(
  'group_hours',
  {
    groupId: ref('groups'),
    hour: whole(),
    count: sum(whole()),
  },
  {
    key: ['groupId', 'hour'],
  },
)

/** Days of receipt and retention classes: the files that hold the group, and what of it is in each, so that reads open few of them. */
export const GROUP_FILES = table(
  'group_files',
  {
    groupId: ref('groups'),
    day: whole(),
    retentionDays: whole(),
    // NULL: not known until upkeep has counted the file. Times are the events' own, rounded down.
    events: sum(orNull(whole())),
    firstMs: least(orNull(time())),
    lastMs: greatest(orNull(time())),
  },
  {
    key: ['groupId', 'day', 'retentionDays'],
    indices: {
      group_files_uncounted: { on: ['day', 'retentionDays'], where: 'events IS NULL' },
    },
  },
)

/** Digests, one row a release, so that a digest seen again after a deploy shows both. */
export const DIGESTS = table(
  'digests',
  {
    id: rowId(),
    groupId: ref('groups'),
    digest: text(),
    // '' when unknown.
    release: text(),
    environment: orNull(text()),
    route: orNull(text()),
    requestKind: text(),
    eventId: text(),
    traceId: orNull(text()),
    count: sum(whole()),
    mirrorCount: sum(whole()),
    verified: orNull(flag()),
    firstSeenMs: least(time()),
    lastSeenMs: greatest(time()),
  },
  {
    key: ['id'],
    unique: [['groupId', 'digest', 'release']],
    indices: {
      digests_by_digest: { on: ['digest', 'groupId'] },
      digests_by_age: { on: ['groupId', 'lastSeenMs'] },
    },
  },
)
