/** The installation itself: its numbers and decisions, jobs, what retention and deletion did, and what became of what was sent. */
import type { ProjectId } from '#base/ids.ts'
import {
  bytes,
  greatest,
  id,
  json,
  least,
  newest,
  oneOf,
  orNull,
  sum,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

/** Single numbers. `applied_seq` is what decides after a crash. */
export const META = table(
  'meta',
  {
    name: text(),
    value: whole(),
  },
  {
    key: ['name'],
  },
)

/** Decisions for the whole installation. `public_url`: the origin that links and DSNs begin with. */
export const INSTALLATION = table(
  'installation',
  {
    name: text(),
    value: text(),
  },
  {
    key: ['name'],
  },
)

export const JOBS = table(
  'jobs',
  {
    kind: text(),
    key: text(),
    // When it was to run.
    dueMs: time(),
    // When it can be claimed: the same while it waits, the end of its lease while it is under way.
    nextMs: time(),
    // Scheduled anew while it was under way: when its next run is due.
    askedMs: orNull(time()),
    payload: json(),
    // Since it was last done.
    tries: withDefault(0, whole()),
    lease: orNull(text()),
    // Why the try before failed.
    says: orNull(text()),
  },
  {
    key: ['kind', 'key'],
    indices: {
      jobs_next: { on: ['kind', 'nextMs'] },
    },
  },
)

/** The last run of each kind of upkeep. */
export const UPKEEP_RUNS = table(
  'upkeep_runs',
  {
    kind: oneOf('retention', 'compaction'),
    begunMs: time(),
    endedMs: time(),
    files: whole(),
    freedBytes: whole(),
    // NULL: it went well.
    failure: orNull(text()),
  },
  {
    key: ['kind'],
  },
)

/** State of files after compaction, by day and class; one that has changed since is seen by its marks. */
export const FILE_STATES = table(
  'file_states',
  {
    kind: text(),
    day: whole(),
    retentionDays: whole(),
    payloadBytes: whole(),
    columnSeq: whole(),
    // Clean of deletions up to these ids.
    tombstoneId: whole(),
    personId: whole(),
    compactedMs: time(),
  },
  {
    key: ['kind', 'day', 'retentionDays'],
  },
)

/** Files that retention removed or is removing; `ended_ms` NULL: begun, and finished at the next start at the latest. */
export const REMOVALS = table(
  'removals',
  {
    id: id(),
    kind: text(),
    day: whole(),
    retentionDays: whole(),
    reason: oneOf('age', 'disk', 'empty'),
    bytes: whole(),
    begunMs: time(),
    endedMs: orNull(time()),
  },
  {
    key: ['id'],
    indices: {
      removals_by_file: { on: ['kind', 'day', 'retentionDays'] },
    },
  },
)

/** Ids that only count up: a file is clean of every deletion up to an id, and may be so before it is written down. */
export const TOMBSTONES = table(
  'tombstones',
  {
    id: id(),
    projectId: whole<ProjectId>(),
    // NULL: every group of the project.
    hash: orNull(bytes()),
    upToSeq: whole(),
    createdMs: time(),
  },
  {
    key: ['id'],
    indices: {
      tombstones_by_group: { on: ['projectId', 'hash'] },
    },
  },
)

/** A person's events of one project. The name stands here until compaction has removed what it names. */
export const PERSON_TOMBSTONES = table(
  'person_tombstones',
  {
    id: id(),
    projectId: whole<ProjectId>(),
    // As EventRow.people: `id:…`, `email:…`, `username:…` or `ip:…`.
    person: text(),
    upToSeq: whole(),
    createdMs: time(),
  },
  {
    key: ['id'],
    unique: [['projectId', 'person']],
  },
)

/** Envelopes that could not be processed, set aside as files. */
export const QUARANTINED = table(
  'quarantined',
  {
    seq: whole(),
    projectId: whole<ProjectId>(),
    receivedMs: time(),
    reason: text(),
    bytes: whole(),
    // Name and bytes of its attachments, which lie in files of their own.
    setAside: withDefault('[]', json()),
  },
  {
    key: ['seq'],
    indices: {
      quarantined_by_project: { on: ['projectId'] },
    },
  },
)

/**
 * Outcomes in buckets of 15 minutes of receipt. No foreign keys: 0 stands for "none", and a removed key's
 * counts stay.
 */
export const OUTCOMES = table(
  'outcomes',
  {
    projectId: whole<ProjectId>(),
    bucketMs: time(),
    outcome: text(),
    category: text(),
    // '' for none.
    reason: text(),
    keyId: whole(),
    quantity: sum(whole()),
    firstMs: least(time()),
    lastMs: greatest(time()),
    example: newest('lastMs', orNull(text())),
  },
  {
    key: ['projectId', 'bucketMs', 'outcome', 'category', 'reason', 'keyId'],
    indices: {
      outcomes_by_age: { on: ['bucketMs'] },
    },
  },
)

/** Outcomes of the whole installation, for the last hours. */
export const OUTCOME_MINUTES = table(
  'outcome_minutes',
  {
    minuteMs: time(),
    outcome: text(),
    quantity: sum(whole()),
  },
  {
    key: ['minuteMs', 'outcome'],
  },
)
