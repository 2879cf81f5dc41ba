/** Answers about releases, their commits, deploys, files and health. */
import * as v from 'valibot'
import { FIELDS } from '../session-fields.ts'
import {
  anyObject,
  anything,
  digits,
  flagSchema,
  namedSchema,
  numberOrNull,
  numberSchema,
  optionalSchema,
  textOrNull,
  textSchema,
  timeOrNullSchema,
  timeSchema,
  wholeOrNull,
  wholeSchema,
} from './words.ts'

export const AUTHOR = v.object({ name: textOrNull, email: textOrNull })
const FILE_CHANGE = v.picklist(['A', 'M', 'D'])

export const COMMIT = namedSchema(
  'Commit',
  v.object({
    ...{ id: textSchema, message: textOrNull, dateCreated: timeOrNullSchema },
    repository: v.nullable(v.object({ name: textSchema })),
    author: v.nullable(AUTHOR),
    patch_set: v.array(v.object({ path: textSchema, type: FILE_CHANGE })),
  }),
)

const LAST_COMMIT = v.object({
  ...{ id: textSchema, message: textOrNull, dateCreated: timeSchema, author: optionalSchema(AUTHOR) },
  repository: v.nullable(v.object({ name: textSchema })),
  patch_set: v.array(v.object({ path: textSchema, type: FILE_CHANGE })),
})

export const DEPLOY_SCHEMA = namedSchema(
  'Deploy',
  v.object({
    ...{ id: digits, environment: textSchema, name: textOrNull, url: textOrNull },
    ...{ dateStarted: timeOrNullSchema, dateFinished: timeSchema },
  }),
)

/** Percentages, null without sessions. */
const HEALTH = namedSchema(
  'ReleaseHealth',
  v.object({
    ...{ hasHealthData: flagSchema, adoption: numberOrNull, sessionsAdoption: numberOrNull },
    ...{ crashFreeSessions: numberOrNull, crashFreeUsers: numberOrNull, totalSessions: wholeSchema },
    ...{
      totalUsers: wholeSchema,
      totalSessions24h: wholeSchema,
      totalUsers24h: wholeSchema,
      totalProjectSessions24h: wholeSchema,
    },
    ...{ totalProjectUsers24h: wholeSchema, sessionsCrashed: wholeSchema, sessionsErrored: wholeSchema },
    ...{ durationP50: v.null(), durationP90: v.null(), stats: anyObject },
  }),
)

const RELEASE_FIELDS = {
  ...{ id: digits, version: textSchema, shortVersion: textSchema },
  versionInfo: v.object({
    ...{
      package: textOrNull,
      version: v.object({ raw: textSchema }),
      buildHash: textOrNull,
      description: textSchema,
    },
  }),
  ...{ status: v.picklist(['open', 'archived']), ref: textOrNull, url: textOrNull, dateCreated: timeSchema },
  ...{
    dateStarted: timeOrNullSchema,
    dateReleased: timeOrNullSchema,
    firstEvent: timeOrNullSchema,
    lastEvent: timeOrNullSchema,
  },
  ...{
    newGroups: wholeSchema,
    owner: v.null(),
    authors: v.array(AUTHOR),
    data: anyObject,
    commitCount: wholeSchema,
  },
  ...{ lastCommit: v.nullable(LAST_COMMIT), deployCount: wholeSchema, lastDeploy: v.nullable(DEPLOY_SCHEMA) },
  projects: v.array(
    v.object({
      id: digits,
      slug: textSchema,
      name: textSchema,
      newGroups: wholeSchema,
      healthData: optionalSchema(HEALTH),
    }),
  ),
}
export const RELEASE_SCHEMA = namedSchema('Release', v.object(RELEASE_FIELDS))
/** No field is there where no earlier release has commits. */
export const RELEASE_OR_NONE = v.partial(v.object(RELEASE_FIELDS))

export const COMMIT_FILE = v.object({
  ...{ filename: textSchema, type: FILE_CHANGE, commitId: textSchema, commitMessage: textOrNull },
  ...{ author: v.nullable(AUTHOR), repoName: textOrNull },
})

export const REPOSITORY = v.object({
  ...{ id: textSchema, name: textSchema, url: textSchema, externalSlug: textSchema, status: textSchema },
  provider: v.object({ id: textSchema, name: textSchema }),
  dateCreated: timeSchema,
})

export const RELEASE_FILE = namedSchema(
  'ReleaseFile',
  v.object({
    ...{
      id: digits,
      name: textSchema,
      dist: textOrNull,
      sha1: textSchema,
      size: wholeSchema,
      dateCreated: timeSchema,
    },
    headers: v.object({ Sourcemap: optionalSchema(textSchema) }),
  }),
)

const figuresSchema = <const T extends v.GenericSchema>(of: T) =>
  v.object(v.partial(v.object(Object.fromEntries(FIELDS.map((field) => [field, of])))).entries)

/** `totals` and `series` have the fields that were asked for. */
export const SESSIONS_SCHEMA = namedSchema(
  'Sessions',
  v.object({
    ...{ start: timeSchema, end: timeSchema, query: textSchema, intervals: v.array(timeSchema) },
    groups: v.array(
      v.object({
        by: v.object({
          ...{
            project: optionalSchema(wholeSchema),
            release: optionalSchema(textOrNull),
            environment: optionalSchema(textOrNull),
          },
          'session.status': optionalSchema(textSchema),
        }),
        totals: figuresSchema(numberOrNull),
        series: figuresSchema(v.array(numberOrNull)),
      }),
    ),
  }),
)

/** `totals` and `series` by the fields that were asked for. */
export const STATS = namedSchema(
  'OutcomeStats',
  v.object({
    ...{ start: timeSchema, end: timeSchema, intervals: v.array(timeSchema) },
    groups: v.array(
      v.object({
        by: v.object({
          ...{
            outcome: optionalSchema(textSchema),
            category: optionalSchema(textSchema),
            reason: optionalSchema(textSchema),
          },
          ...{ project: optionalSchema(wholeOrNull), key: optionalSchema(wholeOrNull) },
        }),
        totals: v.record(textSchema, numberSchema),
        series: v.record(textSchema, v.array(numberSchema)),
      }),
    ),
  }),
)

/** Without times. `dropped` is all that was not stored. */
export const STATS_SUMMARY = namedSchema(
  'StatsSummary',
  v.object({
    ...{ start: timeSchema, end: timeSchema },
    projects: v.array(
      v.object({
        ...{ id: digits, slug: textSchema },
        stats: v.array(
          v.object({
            category: textSchema,
            outcomes: v.record(textSchema, wholeSchema),
            totals: v.record(textSchema, wholeSchema),
          }),
        ),
      }),
    ),
  }),
)
/** Second and count. */
export const PROJECT_STATS = v.array(v.tuple([wholeSchema, wholeSchema]))

const CELL = v.union([
  textSchema,
  numberSchema,
  flagSchema,
  v.null(),
  v.array(textSchema),
  v.record(textSchema, textSchema),
])
/** Cells by the fields that were asked for; `meta` says what kind each is. */
export const SPAN_EVENTS = namedSchema(
  'SpanEvents',
  v.object({
    data: v.array(v.record(textSchema, CELL)),
    meta: v.object({ fields: v.record(textSchema, textSchema), units: v.record(textSchema, textOrNull) }),
  }),
)

const FIGURES = {
  ...{ count: wholeSchema, failed: wholeSchema, failedBehind200: wholeSchema, aborted: wholeSchema },
  ...{ p50Ms: numberOrNull, p75Ms: numberOrNull, p95Ms: numberOrNull, p99Ms: numberOrNull },
  isEstimated: flagSchema,
}

export const ROUTE_FIGURES = namedSchema(
  'RouteFigures',
  v.object({ project: wholeSchema, route: textSchema, kind: textSchema, ...FIGURES }),
)
export const REQUESTS = v.object({ data: v.array(ROUTE_FIGURES) })

export const ACTION_FIGURES = namedSchema(
  'ActionFigures',
  v.object({
    ...{ project: wholeSchema, route: textSchema, action: textOrNull, perMinute: numberSchema },
    ...FIGURES,
  }),
)
export const ACTIONS = v.object({ data: v.array(ACTION_FIGURES) })

const VITAL = v.nullable(
  v.object({
    p75: numberSchema,
    count: wholeSchema,
    good: numberSchema,
    needsImprovement: numberSchema,
    poor: numberSchema,
  }),
)
/** Milliseconds; `cls` has no unit. */
export const VITALS_SCHEMA = v.object({
  data: v.array(
    namedSchema(
      'PageVitals',
      v.object({
        project: wholeSchema,
        route: textSchema,
        lcp: VITAL,
        inp: VITAL,
        cls: VITAL,
        fcp: VITAL,
        ttfb: VITAL,
      }),
    ),
  ),
})

export const CHUNK_SERVER = v.object({
  ...{
    url: textSchema,
    chunkSize: wholeSchema,
    chunksPerRequest: wholeSchema,
    maxRequestSize: wholeSchema,
    maxFileSize: wholeSchema,
  },
  ...{
    maxWait: wholeSchema,
    concurrency: wholeSchema,
    hashAlgorithm: textSchema,
    compression: v.array(textSchema),
  },
  accept: v.array(textSchema),
})
const ASSEMBLED_FIELDS = { state: textSchema, missingChunks: v.array(textSchema), detail: textOrNull }
export const ASSEMBLED = v.object(ASSEMBLED_FIELDS)
export const NOT_ASSEMBLED = v.object({ ...ASSEMBLED_FIELDS, error: textOrNull })
const DEBUG_FILE = v.object({
  ...{
    id: textSchema,
    uuid: v.null(),
    debugId: v.null(),
    objectName: textSchema,
    cpuName: textSchema,
    sha1: textSchema,
  },
  ...{ symbolType: textSchema, data: v.object({ features: v.array(textSchema) }) },
})
export const DEBUG_FILES = v.array(DEBUG_FILE)
export const DEBUG_FILES_ASSEMBLED = v.record(
  textSchema,
  v.object({ ...ASSEMBLED_FIELDS, dif: optionalSchema(DEBUG_FILE) }),
)
export const DEBUG_FILES_MISSING = v.object({ missing: v.array(textSchema) })
export const PLACES_CHECKED = v.object({
  places: v.array(
    v.object({
      original: v.nullable(
        v.object({ source: textOrNull, line: wholeOrNull, column: wholeOrNull, function: textOrNull }),
      ),
      problem: v.nullable(
        v.object({ reason: textSchema, title: textSchema, cause: textSchema, next: anything }),
      ),
    }),
  ),
})

export const FLAG_CHANGE = namedSchema(
  'FlagChange',
  v.object({
    ...{ id: wholeSchema, action: v.picklist(['created', 'updated', 'deleted']), createdAt: timeSchema },
    ...{ createdBy: textOrNull, createdByType: textOrNull, flag: textSchema },
    ...{ provider: textSchema, tags: anyObject },
  }),
)

export const FLAG_LOG = v.object({ data: v.array(FLAG_CHANGE) })
