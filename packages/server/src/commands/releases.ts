/** Releases, as build tools and people make and change them. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Refusal, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { RELEASE_REFUSALS, releaseNameRule } from '#model/release-rules.ts'
import type { Commit, CommitFile, Deploy, ReleaseChange, ReleasePlace } from '#ports/releases.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import { announced, type CommandParts } from './parts.ts'
import { read } from './schemas.ts'

export interface ReleaseCommands {
  /** Makes it, or changes the one that is there. */
  createRelease(asking: Asking, input: ReleaseInput): Promise<Result<{ readonly isNew: boolean }>>
  changeRelease(asking: Asking, input: ReleaseInput): Promise<Result<null>>
  addDeploy(asking: Asking, version: string, input: unknown): Promise<Result<Deploy>>
  /** With its artifacts. */
  deleteRelease(asking: Asking, version: string): Promise<Result<null>>
}

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
  v.transform(readTime),
  v.number('A time such as 2026-11-21T10:00:00Z.'),
)
const maybe = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema))
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
const cut = (most: number) =>
  maybe(
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
  repository: cut(max('authorCharsMax')),
  message: cut(max('commitMessageCharsMax')),
  author_name: cut(max('authorCharsMax')),
  author_email: cut(max('authorCharsMax')),
  timestamp: maybe(time),
  patch_set: maybe(v.array(v.object({ path: v.string(), type: v.string() }))),
})
const REF = v.object({ repository: cut(max('authorCharsMax')), commit: commitId })
export const RELEASE = v.object({
  version,
  projects: maybe(v.array(v.union([v.string(), v.number()]))),
  dateStarted: maybe(time),
  dateReleased: maybe(time),
  ref: maybe(short),
  url: maybe(url),
  status: maybe(v.picklist(['open', 'archived'], 'One of open, archived.')),
  commits: maybe(v.array(COMMIT)),
  refs: maybe(v.array(REF)),
})
type ReadRelease = v.InferOutput<typeof RELEASE>
export const DEPLOY = v.object({
  environment: v.pipe(
    v.string('This field is required.'),
    v.minLength(1, 'This field is required.'),
    v.maxLength(64, 'At most 64 characters.'),
  ),
  name: cut(64),
  url: maybe(url),
  dateStarted: maybe(time),
  dateFinished: maybe(time),
})

/** Seconds since 1970, or RFC 3339 with as many digits as tools write. */
function readTime(value: string | number): number | null {
  const ms = typeof value === 'number' ? value * 1_000 : Date.parse(value)
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? Math.floor(ms) : null
}

type Parts = Pick<
  CommandParts,
  'releases' | 'releasesWrite' | 'projects' | 'artifacts' | 'clock' | 'onDirectoryChanged'
>

export function releaseCommands(parts: Parts): ReleaseCommands {
  return {
    createRelease: async (asking, input) =>
      refusalOf(asking, 'release.write') ??
      // What fails to load in a tab is of a deploy where another build is known.
      announced(parts, put(parts, asking, { input, isMade: true })),
    changeRelease: async (asking, input) => {
      const done = refusalOf(asking, 'release.write') ?? (await put(parts, asking, { input, isMade: false }))
      return done.ok ? ok(null) : done
    },
    addDeploy: async (asking, name, input) =>
      refusalOf(asking, 'release.write') ??
      announced(parts, addDeploy(parts, asking, { version: name, input })),
    deleteRelease: async (asking, name) => {
      const refusal = refusalOf(asking, 'release.write')
      if (refusal !== null) return refusal
      const done = await parts.releasesWrite.deleteRelease(placeOf(asking, name), actorOf(parts, asking))
      const { orgId, projects } = asking.scope
      if (done.ok) await parts.artifacts?.remove(orgId, { release: name, projects })
      return done
    },
  }
}

function placeOf({ scope }: Asking, name: string): ReleasePlace {
  return { orgId: scope.orgId, readable: scope.projects, version: name }
}

async function put(
  parts: Parts,
  asking: Asking,
  { input, isMade }: { readonly input: ReleaseInput; readonly isMade: boolean },
): Promise<Result<{ readonly isNew: boolean }>> {
  const given = typeof input.body === 'object' && input.body !== null ? input.body : {}
  const release = read(RELEASE, { ...given, version: input.version })
  if (!release.ok) return release
  const there = await parts.releases.release(asking.scope, input.version)
  if (!isMade && there === null) return RELEASE_REFUSALS.noRelease()
  const projects = await projectsOf(parts, asking, [...input.projects, ...(release.value.projects ?? [])])
  if (!projects.ok) return projects
  const place = placeOf(asking, input.version)
  const change = changeOf(release.value, projects.value)
  const done = await parts.releasesWrite.putRelease(place, change, actorOf(parts, asking))
  const commits = commitsOf(release.value, there?.lastCommit ?? null)
  if (!done.ok || commits === null) return done
  const set = await parts.releasesWrite.setCommits(place, commits, actorOf(parts, asking))
  return set.ok ? done : set
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
function commitsOf({ commits, refs }: ReadRelease, last: Commit | null): readonly Commit[] | null {
  if (commits !== undefined && commits !== null) return commits.map(commitOf)
  if (refs === undefined || refs === null || refs.length === 0) return null
  if (refs.every(({ commit }) => commit === last?.id)) return null
  const bare = { message: null, authorName: null, authorEmail: null, atMs: null, files: [] }
  return refs.map(({ commit, repository }) => ({ id: commit, repository: repository ?? null, ...bare }))
}

function commitOf(given: v.InferOutput<typeof COMMIT>): Commit {
  const { id, repository, message, author_name, author_email, timestamp, patch_set } = given
  return {
    ...{ id, repository: repository ?? null, message: message ?? null, atMs: timestamp ?? null },
    ...{ authorName: author_name ?? null, authorEmail: author_email ?? null },
    files: (patch_set ?? []).flatMap(fileOf).slice(0, max('commitFilesMax')),
  }
}

function fileOf({ path, type }: { readonly path: string; readonly type: string }): readonly CommitFile[] {
  const isType = type === 'A' || type === 'M' || type === 'D'
  return isType && path.length <= max('commitPathCharsMax') ? [{ path, type }] : []
}

async function projectsOf(
  { projects }: Parts,
  { scope }: Asking,
  refs: readonly (string | number)[],
): Promise<Result<readonly ProjectId[]>> {
  const names = [...new Set(refs.map(String))]
  if (names.length > max('uploadProjectsMax')) return refuseProjects(`At most ${max('uploadProjectsMax')}.`)
  const found = await Promise.all(names.map((each) => projects.project(scope, each)))
  const ids = found.flatMap((each) => (each === null ? [] : [each.id]))
  return ids.length === names.length ? ok(ids) : refuseProjects('Invalid project slugs or ids.')
}

function refuseProjects(rule: string): Refusal {
  return refuse('invalid_input', `projects: ${rule}`, { projects: [rule] })
}

async function addDeploy(
  parts: Parts,
  asking: Asking,
  { version: name, input }: { readonly version: string; readonly input: unknown },
): Promise<Result<Deploy>> {
  if ((await parts.releases.release(asking.scope, name)) === null) return RELEASE_REFUSALS.noRelease()
  const given = read(DEPLOY, input)
  if (!given.ok) return given
  const actor = actorOf(parts, asking)
  const { environment, dateStarted, dateFinished, ...facts } = given.value
  const deploy = {
    ...{ environment, name: facts.name ?? null, url: facts.url || null, startedMs: dateStarted ?? null },
    finishedMs: dateFinished ?? Math.floor(actor.atMs),
  }
  return parts.releasesWrite.addDeploy(placeOf(asking, name), deploy, actor)
}
