/** Answers about releases, their commits, deploys, files and health. */
import * as v from 'valibot'
import { FIELDS } from '../shape/session-fields.ts'
import {
  anyObject,
  anything,
  digits,
  flag,
  maybe,
  named,
  number,
  numberOrNull,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
} from './words.ts'

export const AUTHOR = v.object({ name: textOrNull, email: textOrNull })
const FILE_CHANGE = v.picklist(['A', 'M', 'D'])

export const COMMIT = named(
  'Commit',
  v.object({
    ...{ id: text, message: textOrNull, dateCreated: timeOrNull },
    repository: v.nullable(v.object({ name: text })),
    author: v.nullable(AUTHOR),
    patch_set: v.array(v.object({ path: text, type: FILE_CHANGE })),
  }),
)

const LAST_COMMIT = v.object({
  ...{ id: text, message: textOrNull, dateCreated: time, author: maybe(AUTHOR) },
  repository: v.nullable(v.object({ name: text })),
  patch_set: v.array(v.object({ path: text, type: FILE_CHANGE })),
})

export const DEPLOY = named(
  'Deploy',
  v.object({
    ...{ id: digits, environment: text, name: textOrNull, url: textOrNull },
    ...{ dateStarted: timeOrNull, dateFinished: time },
  }),
)

/** Percentages, null without sessions. */
const HEALTH = named(
  'ReleaseHealth',
  v.object({
    ...{ hasHealthData: flag, adoption: numberOrNull, sessionsAdoption: numberOrNull },
    ...{ crashFreeSessions: numberOrNull, crashFreeUsers: numberOrNull, totalSessions: whole },
    ...{ totalUsers: whole, totalSessions24h: whole, totalUsers24h: whole, totalProjectSessions24h: whole },
    ...{ totalProjectUsers24h: whole, sessionsCrashed: whole, sessionsErrored: whole },
    ...{ durationP50: v.null(), durationP90: v.null(), stats: anyObject },
  }),
)

const RELEASE_FIELDS = {
  ...{ id: digits, version: text, shortVersion: text },
  versionInfo: v.object({
    ...{ package: textOrNull, version: v.object({ raw: text }), buildHash: textOrNull, description: text },
  }),
  ...{ status: v.picklist(['open', 'archived']), ref: textOrNull, url: textOrNull, dateCreated: time },
  ...{ dateStarted: timeOrNull, dateReleased: timeOrNull, firstEvent: timeOrNull, lastEvent: timeOrNull },
  ...{ newGroups: whole, owner: v.null(), authors: v.array(AUTHOR), data: anyObject, commitCount: whole },
  ...{ lastCommit: v.nullable(LAST_COMMIT), deployCount: whole, lastDeploy: v.nullable(DEPLOY) },
  projects: v.array(
    v.object({ id: digits, slug: text, name: text, newGroups: whole, healthData: maybe(HEALTH) }),
  ),
}
export const RELEASE = named('Release', v.object(RELEASE_FIELDS))
/** No field is there where no earlier release has commits. */
export const RELEASE_OR_NONE = v.partial(v.object(RELEASE_FIELDS))

export const COMMIT_FILE = v.object({
  ...{ filename: text, type: FILE_CHANGE, commitId: text, commitMessage: textOrNull },
  ...{ author: v.nullable(AUTHOR), repoName: textOrNull },
})

export const REPOSITORY = v.object({
  ...{ id: text, name: text, url: text, externalSlug: text, status: text },
  provider: v.object({ id: text, name: text }),
  dateCreated: time,
})

export const RELEASE_FILE = named(
  'ReleaseFile',
  v.object({
    ...{ id: digits, name: text, dist: textOrNull, sha1: text, size: whole, dateCreated: time },
    headers: v.object({ Sourcemap: maybe(text) }),
  }),
)

const figures = <const T extends v.GenericSchema>(of: T) =>
  v.object(v.partial(v.object(Object.fromEntries(FIELDS.map((field) => [field, of])))).entries)

/** `totals` and `series` have the fields that were asked for. */
export const SESSIONS = named(
  'Sessions',
  v.object({
    ...{ start: time, end: time, query: text, intervals: v.array(time) },
    groups: v.array(
      v.object({
        by: v.object({
          ...{ project: maybe(whole), release: maybe(textOrNull), environment: maybe(textOrNull) },
          'session.status': maybe(text),
        }),
        totals: figures(numberOrNull),
        series: figures(v.array(numberOrNull)),
      }),
    ),
  }),
)

/** `totals` and `series` by the fields that were asked for. */
export const STATS = named(
  'OutcomeStats',
  v.object({
    ...{ start: time, end: time, intervals: v.array(time) },
    groups: v.array(
      v.object({
        by: v.object({
          ...{ outcome: maybe(text), category: maybe(text), reason: maybe(text) },
          ...{ project: maybe(wholeOrNull), key: maybe(wholeOrNull) },
        }),
        totals: v.record(text, number),
        series: v.record(text, v.array(number)),
      }),
    ),
  }),
)

/** Without times. `dropped` is all that was not stored. */
export const STATS_SUMMARY = named(
  'StatsSummary',
  v.object({
    ...{ start: time, end: time },
    projects: v.array(
      v.object({
        ...{ id: digits, slug: text },
        stats: v.array(
          v.object({ category: text, outcomes: v.record(text, whole), totals: v.record(text, whole) }),
        ),
      }),
    ),
  }),
)
/** Second and count. */
export const PROJECT_STATS = v.array(v.tuple([whole, whole]))

const CELL = v.union([text, number, flag, v.null(), v.array(text), v.record(text, text)])
/** Cells by the fields that were asked for; `meta` says what kind each is. */
export const SPAN_EVENTS = named(
  'SpanEvents',
  v.object({
    data: v.array(v.record(text, CELL)),
    meta: v.object({ fields: v.record(text, text), units: v.record(text, textOrNull) }),
  }),
)

const FIGURES = {
  ...{ count: whole, failed: whole, failedBehind200: whole, aborted: whole },
  ...{ p50Ms: numberOrNull, p75Ms: numberOrNull, p95Ms: numberOrNull, p99Ms: numberOrNull },
  isEstimated: flag,
}

export const REQUESTS = v.object({
  data: v.array(named('RouteFigures', v.object({ project: whole, route: text, kind: text, ...FIGURES }))),
})

export const ACTIONS = v.object({
  data: v.array(
    named(
      'ActionFigures',
      v.object({ project: whole, route: text, action: textOrNull, perMinute: number, ...FIGURES }),
    ),
  ),
})

const VITAL = v.nullable(
  v.object({ p75: number, count: whole, good: number, needsImprovement: number, poor: number }),
)
/** Milliseconds; `cls` has no unit. */
export const VITALS = v.object({
  data: v.array(
    named(
      'PageVitals',
      v.object({ project: whole, route: text, lcp: VITAL, inp: VITAL, cls: VITAL, fcp: VITAL, ttfb: VITAL }),
    ),
  ),
})

export const CHUNK_SERVER = v.object({
  ...{ url: text, chunkSize: whole, chunksPerRequest: whole, maxRequestSize: whole, maxFileSize: whole },
  ...{ maxWait: whole, concurrency: whole, hashAlgorithm: text, compression: v.array(text) },
  accept: v.array(text),
})
const ASSEMBLED_FIELDS = { state: text, missingChunks: v.array(text), detail: textOrNull }
export const ASSEMBLED = v.object(ASSEMBLED_FIELDS)
export const NOT_ASSEMBLED = v.object({ ...ASSEMBLED_FIELDS, error: textOrNull })
const DEBUG_FILE = v.object({
  ...{ id: text, uuid: v.null(), debugId: v.null(), objectName: text, cpuName: text, sha1: text },
  ...{ symbolType: text, data: v.object({ features: v.array(text) }) },
})
export const DEBUG_FILES = v.array(DEBUG_FILE)
export const DEBUG_FILES_ASSEMBLED = v.record(text, v.object({ ...ASSEMBLED_FIELDS, dif: maybe(DEBUG_FILE) }))
export const DEBUG_FILES_MISSING = v.object({ missing: v.array(text) })
export const PLACES_CHECKED = v.object({
  places: v.array(
    v.object({
      original: v.nullable(
        v.object({ source: textOrNull, line: wholeOrNull, column: wholeOrNull, function: textOrNull }),
      ),
      problem: v.nullable(v.object({ reason: text, title: text, cause: text, next: anything })),
    }),
  ),
})
