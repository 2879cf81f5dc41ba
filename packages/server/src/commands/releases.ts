/** Releases, as build tools and people make and change them. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_REFUSALS, releaseNameRule } from '#model/release-rules.ts'
import type { CommitFile, Deploy, ReleaseChange, ReleaseCommit } from '#ports/releases.ts'
import type { Asking } from './asking.ts'
import { command, preparedCommand } from './command.ts'
import { announce, type CommandParts } from './parts.ts'
import { deployRelease, type PutRelease, putRelease, removeRelease } from './release-changes.ts'
import { readInput } from './schemas.ts'

/**
 * Release in the words of the tools. Unknown parts of `body` are ignored: every generation of them sends
 * something more.
 */
export interface ReleaseInput {
  readonly version: string
  /** Added to those that the body names, by slug or id. */
  readonly projects: readonly string[]
  readonly body: unknown
}

const version = v.pipe(
  v.string('A version is text.'),
  v.rawCheck(({ dataset, addIssue }) => {
    const rule = dataset.typed ? releaseNameRule(dataset.value) : null
    if (rule !== null) addIssue({ message: rule })
  }),
)
const time = v.pipe(
  v.union([v.string(), v.number()], 'A time such as 2026-11-21T10:00:00Z.'),
  v.transform(readReleaseTime),
  v.number('A time such as 2026-11-21T10:00:00Z.'),
)
const nullableField = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema))
const short = v.pipe(
  v.string('Must be text.'),
  v.maxLength(max('releaseUrlCharsMax'), `At most ${max('releaseUrlCharsMax')} characters.`),
)
/** An address that somebody clicks on. */
const url = v.pipe(
  short,
  v.check(
    (text) => text === '' || /^https?:\/\//i.test(text),
    'An address that begins with https:// or http://.',
  ),
)
/** Longer ones are cut. */
const cutField = (most: number) =>
  nullableField(
    v.pipe(
      v.string('Must be text.'),
      v.transform((text) => text.slice(0, most)),
    ),
  )
const commitId = v.pipe(
  v.string('A commit is named by text.'),
  v.minLength(1, 'A commit needs a name.'),
  v.maxLength(max('commitIdCharsMax'), `At most ${max('commitIdCharsMax')} characters.`),
)
const COMMIT = v.object({
  id: commitId,
  repository: cutField(max('authorCharsMax')),
  message: cutField(max('commitMessageCharsMax')),
  author_name: cutField(max('authorCharsMax')),
  author_email: cutField(max('authorCharsMax')),
  timestamp: nullableField(time),
  patch_set: nullableField(v.array(v.object({ path: v.string(), type: v.string() }))),
})
const REF = v.object({ repository: cutField(max('authorCharsMax')), commit: commitId })
export const RELEASE = v.object({
  version,
  projects: nullableField(v.array(v.union([v.string(), v.number()]))),
  dateStarted: nullableField(time),
  dateReleased: nullableField(time),
  ref: nullableField(short),
  url: nullableField(url),
  status: nullableField(v.picklist(['open', 'archived'], 'One of open, archived.')),
  commits: nullableField(v.array(COMMIT)),
  refs: nullableField(v.array(REF)),
})
type ReadRelease = v.InferOutput<typeof RELEASE>
export const DEPLOY = v.object({
  environment: v.pipe(
    v.string('This field is required.'),
    v.minLength(1, 'This field is required.'),
    v.maxLength(64, 'At most 64 characters.'),
  ),
  name: cutField(64),
  url: nullableField(url),
  dateStarted: nullableField(time),
  dateFinished: nullableField(time),
})

/** Seconds since 1970, or RFC 3339 with as many digits as tools write. */
function readReleaseTime(value: string | number): number | null {
  const ms = typeof value === 'number' ? value * 1_000 : Date.parse(value)
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? Math.floor(ms) : null
}

type Parts = Pick<CommandParts, 'releases' | 'projects'>

/** Makes it, or changes the one that is there. */
export const createRelease = preparedCommand({
  permission: 'release.write',
  input: checkedRelease,
  prepare: (parts: Parts, asking, asked: Asked) => preparedRelease(parts, asking, { ...asked, isMade: true }),
  change: (tx, put: PutRelease, by) => putRelease(tx, put, by),
  // What fails to load in a tab is of a deploy where another build is known.
  after: announce,
})

export const changeRelease = preparedCommand({
  permission: 'release.write',
  input: checkedRelease,
  prepare: (parts: Parts, asking, asked: Asked) =>
    preparedRelease(parts, asking, { ...asked, isMade: false }),
  change: async (tx, put: PutRelease, by) => {
    const done = await putRelease(tx, put, by)
    return done.ok ? ok(null) : done
  },
})

export const addDeploy = preparedCommand({
  permission: 'release.write',
  input: (given: { readonly version: string; readonly deploy: unknown }) => ok(given),
  prepare: async (
    parts: Pick<CommandParts, 'releases' | 'clock'>,
    asking,
    { version: name, deploy: said }: { readonly version: string; readonly deploy: unknown },
  ) => {
    if ((await parts.releases.release(asking.scope, name)) === null) return RELEASE_REFUSALS.noRelease()
    const given = readInput(DEPLOY, said)
    if (!given.ok) return given
    const { environment, dateStarted, dateFinished, ...facts } = given.value
    const deploy = {
      ...{ environment, name: facts.name ?? null, url: facts.url || null, startedMs: dateStarted ?? null },
      finishedMs: dateFinished ?? Math.floor(parts.clock.now()),
    }
    return ok({ version: name, deploy })
  },
  change: (tx, deployed: { readonly version: string; readonly deploy: Omit<Deploy, 'id'> }, by) =>
    deployRelease(tx, deployed, by),
  after: announce,
})

/** With its artifacts. */
export const deleteRelease = command({
  permission: 'release.write',
  input: (name: string) => ok({ version: name }),
  change: (tx, named: { readonly version: string }, by) => removeRelease(tx, named, by),
  after: async ({ artifacts }, { asking, checked }) => {
    const { orgId, projects } = asking.scope
    await artifacts?.remove(orgId, { release: checked.version, projects })
  },
})

type Asked = { readonly release: ReadRelease; readonly projects: readonly string[] }

function checkedRelease({ version: name, projects, body }: ReleaseInput): Result<Asked> {
  const given = typeof body === 'object' && body !== null ? body : {}
  const release = readInput(RELEASE, { ...given, version: name })
  return release.ok ? ok({ release: release.value, projects }) : release
}

async function preparedRelease(
  parts: Parts,
  asking: Asking,
  { release, projects: named, isMade }: Asked & { readonly isMade: boolean },
): Promise<Result<PutRelease>> {
  const there = await parts.releases.release(asking.scope, release.version)
  if (!isMade && there === null) return RELEASE_REFUSALS.noRelease()
  const projects = await findNamedProjects(parts, asking, [...named, ...(release.projects ?? [])])
  if (!projects.ok) return projects
  const commits = readCommits(release, there?.lastCommit ?? null)
  return ok({ version: release.version, change: changeOf(release, projects.value), commits })
}

function changeOf(
  { dateStarted, dateReleased, ref, url: address, status }: ReadRelease,
  projects: readonly ProjectId[],
): ReleaseChange {
  const isGiven = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null
  return {
    projects,
    ...(isGiven(dateStarted) && { startedMs: dateStarted }),
    ...(isGiven(dateReleased) && { releasedMs: dateReleased }),
    ...(isGiven(ref) && { ref: ref === '' ? null : ref }),
    ...(isGiven(address) && { url: address === '' ? null : address }),
    ...(isGiven(status) && { status }),
  }
}

/** `null`: nothing was said of commits. A ref names one alone, which says less than what is known of it already. */
function readCommits(
  { commits, refs }: ReadRelease,
  last: ReleaseCommit | null,
): readonly ReleaseCommit[] | null {
  if (commits !== undefined && commits !== null) return commits.map(readCommit)
  if (refs === undefined || refs === null || refs.length === 0) return null
  if (refs.every(({ commit }) => commit === last?.id)) return null
  const bare = { message: null, authorName: null, authorEmail: null, atMs: null, files: [] }
  return refs.map(({ commit, repository }) => ({ id: commit, repository: repository ?? null, ...bare }))
}

function readCommit(given: v.InferOutput<typeof COMMIT>): ReleaseCommit {
  const { id, repository, message, author_name, author_email, timestamp, patch_set } = given
  return {
    ...{ id, repository: repository ?? null, message: message ?? null, atMs: timestamp ?? null },
    ...{ authorName: author_name ?? null, authorEmail: author_email ?? null },
    files: (patch_set ?? []).flatMap(readCommitFile).slice(0, max('commitFilesMax')),
  }
}

function readCommitFile({
  path,
  type,
}: {
  readonly path: string
  readonly type: string
}): readonly CommitFile[] {
  const isType = type === 'A' || type === 'M' || type === 'D'
  return isType && path.length <= max('commitPathCharsMax') ? [{ path, type }] : []
}

async function findNamedProjects(
  { projects }: Pick<CommandParts, 'projects'>,
  { scope }: Asking,
  refs: readonly (string | number)[],
): Promise<Result<readonly ProjectId[]>> {
  const names = [...new Set(refs.map(String))]
  if (names.length > max('uploadProjectsMax'))
    return refuseReleaseProjects(`At most ${max('uploadProjectsMax')}.`)
  const found = await Promise.all(names.map((each) => projects.project(scope, each)))
  const ids = found.flatMap((each) => (each === null ? [] : [each.id]))
  return ids.length === names.length ? ok(ids) : refuseReleaseProjects('Invalid project slugs or ids.')
}

function refuseReleaseProjects(rule: string): Refusal {
  return refuse('invalid_input', `projects: ${rule}`, { projects: [rule] })
}
