/** Projects, their keys and what people say of them. */
import type { KeyId, OrgId, ProjectId, TeamId } from '#base/ids.ts'
import {
  flag,
  greatest,
  id,
  json,
  looseRef,
  orNull,
  ref,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

export const PROJECTS = table(
  'projects',
  {
    id: id<ProjectId>(),
    orgId: ref<OrgId>('organisations'),
    slug: text(),
    name: text(),
    platform: orNull(text()),
    // JSON of ProjectOptions.
    options: json(),
    isSelf: withDefault(false, flag()),
    createdMs: time(),
    firstEventMs: orNull(time()),
    // Number of the newest issue; only counts up.
    issueCounter: withDefault(0, whole()),
    // Issues that began in one hour of receipt, the newest (hours since 1970): what bounds them.
    newIssuesHour: withDefault(0, whole()),
    newIssues: withDefault(0, whole()),
  },
  {
    key: ['id'],
    unique: [['orgId', 'slug']],
  },
)

export const TEAM_PROJECTS = table(
  'team_projects',
  {
    teamId: ref<TeamId>('teams'),
    projectId: ref<ProjectId>('projects'),
  },
  {
    key: ['teamId', 'projectId'],
    indices: {
      team_projects_by_project: { on: ['projectId', 'teamId'] },
    },
  },
)

export const PROJECT_KEYS = table(
  'project_keys',
  {
    id: id<KeyId>(),
    projectId: ref<ProjectId>('projects'),
    public: text(),
    name: text(),
    isActive: withDefault(true, flag()),
    // JSON of RateLimit.
    rateLimit: orNull(json()),
    createdMs: time(),
    usedMs: greatest(orNull(time())),
  },
  {
    key: ['id'],
    unique: [['public']],
    indices: {
      project_keys_by_project: { on: ['projectId', 'id'] },
    },
  },
)

/** Public keys that were deleted, and whose they were: clients that send them still never become another project's. */
export const FORMER_KEYS = table(
  'former_keys',
  {
    public: text(),
    projectId: whole<ProjectId>(),
  },
  {
    key: ['public'],
  },
)

export const FORMER_SLUGS = table(
  'former_slugs',
  {
    orgId: ref<OrgId>('organisations'),
    slug: text(),
    // NULL: the project was deleted. Whoever takes the slug goes on counting behind the last issue that was
    // called by it.
    projectId: orNull(looseRef<ProjectId>('projects')),
    lastNumber: greatest(withDefault(0, whole())),
  },
  {
    key: ['orgId', 'slug'],
    hasRowId: true,
    indices: {
      former_slugs_by_project: { on: ['projectId'] },
    },
  },
)

/**
 * Environments that people set, of those that events and deploys name; one without a row is shown, behind
 * those with a position.
 */
export const ENVIRONMENTS = table(
  'environments',
  {
    projectId: ref<ProjectId>('projects'),
    name: text(),
    isHidden: withDefault(false, flag()),
    // From 0; NULL: nobody gave it one.
    position: orNull(whole()),
  },
  {
    key: ['projectId', 'name'],
  },
)

export const KNOWN_ROUTES = table(
  'known_routes',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    // pages, handlers
    sort: text(),
    route: text(),
    // Of receipt, when it was stated last.
    day: greatest(whole()),
  },
  {
    key: ['id'],
    unique: [['projectId', 'sort', 'route']],
  },
)

/**
 * Changes of the directory, by project: each has a row, whichever process made it, so that whoever follows
 * reads only what changed. `project_id` NULL: of organisations. Once a change is older than the table,
 * everything is read anew; no id is given twice.
 */
export const DIRECTORY_CHANGES = table(
  'directory_changes',
  {
    id: id(),
    projectId: orNull(whole<ProjectId>()),
  },
  {
    key: ['id'],
  },
)

/** Ownership of a project, as people wrote it. */
export const PROJECT_OWNERSHIP = table(
  'project_ownership',
  {
    projectId: ref<ProjectId>('projects'),
    rules: text(),
    codeOwners: text(),
    isAutoAssigned: flag(),
    createdMs: time(),
    changedMs: time(),
    assignsSuspects: withDefault(false, flag()),
    cutIssues: withDefault(0, whole()),
    cutMs: orNull(time()),
  },
  {
    key: ['projectId'],
  },
)
