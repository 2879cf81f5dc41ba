/** Releases and deploys: what tools and events say of them. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import {
  greatest,
  greatestKnown,
  id,
  json,
  leastKnown,
  oneOf,
  orNull,
  ref,
  sum,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

/**
 * Releases. What is said of one belongs to the projects that it is said of: an organisation has a version
 * once for each set of projects whose people say it together, so the version alone is not unique. One without
 * projects is gone: the program removes it.
 */
export const RELEASES = table(
  'releases',
  {
    id: id(),
    orgId: ref<OrgId>('organisations'),
    version: text(),
    // Folded by the program, for searching.
    folded: text(),
    status: oneOf('open', 'archived'),
    ref: orNull(text()),
    url: orNull(text()),
    createdMs: time(),
    startedMs: orNull(time()),
    releasedMs: orNull(time()),
  },
  {
    key: ['id'],
    indices: {
      releases_by_version: { on: ['orgId', 'version'] },
    },
  },
)

export const RELEASE_PROJECTS = table(
  'release_projects',
  {
    releaseId: ref('releases'),
    projectId: ref<ProjectId>('projects'),
    // Of the events’ own time.
    firstEventMs: leastKnown(orNull(time())),
    lastEventMs: greatestKnown(orNull(time())),
    eventCount: sum(withDefault(0, whole())),
    recentDay: orNull(whole()),
    recentEvents: withDefault(0, whole()),
    recentBefore: withDefault(0, whole()),
  },
  {
    key: ['releaseId', 'projectId'],
    indices: {
      release_projects_by_project: { on: ['projectId', 'releaseId'] },
    },
  },
)

export const RELEASE_COMMITS = table(
  'release_commits',
  {
    releaseId: ref('releases'),
    // 0: the newest.
    position: whole(),
    commitId: text(),
    repository: orNull(text()),
    message: orNull(text()),
    authorName: orNull(text()),
    authorEmail: orNull(text()),
    // Folded by the program: what members are found by.
    emailFolded: orNull(text()),
    atMs: orNull(time()),
    // JSON array of [path, type].
    files: json(),
  },
  {
    key: ['releaseId', 'position'],
    indices: {
      release_commits_by_id: { on: ['commitId', 'releaseId'] },
    },
  },
)

/** Environments of a release, as its events say; deploys say it as well, in a table of their own. */
export const RELEASE_ENVIRONMENTS = table(
  'release_environments',
  {
    releaseId: ref('releases'),
    projectId: ref<ProjectId>('projects'),
    environment: text(),
    eventCount: sum(whole()),
  },
  {
    key: ['releaseId', 'projectId', 'environment'],
    indices: {
      release_environments_by_project: { on: ['projectId', 'environment'] },
    },
  },
)

export const DEPLOYS = table(
  'deploys',
  {
    id: id(),
    releaseId: ref('releases'),
    environment: text(),
    name: orNull(text()),
    url: orNull(text()),
    startedMs: orNull(time()),
    finishedMs: time(),
  },
  {
    key: ['id'],
    indices: {
      deploys_by_release: { on: ['releaseId', 'id'] },
    },
  },
)

/** Releases that made room for newer ones, by project: how many, and when the last of them went. */
export const RELEASES_LET_GO = table(
  'releases_let_go',
  {
    projectId: ref<ProjectId>('projects'),
    count: sum(whole()),
    lastMs: greatest(time()),
  },
  {
    key: ['projectId'],
  },
)
