/** Uploads of build tools. What is refused is kept as well: the tools end without an error. */
import * as v from 'valibot'
import type { Artifacts, AssembleAnswer, ChunkRequest, DebugFile } from '#artifacts/artifact-work.ts'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { ARTIFACT_QUOTA_DEFAULT } from '#model/artifact-quota.ts'
import type { ReleaseFile, UploadKind } from '#ports/artifacts.ts'
import type { Project } from '#ports/projects.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts } from './parts.ts'
import { readInput } from './schemas.ts'

interface ArtifactCommands {
  uploadChunks(asking: Asking, request: ChunkRequest): Promise<Result<null>>
  /** Projects by slug or id. */
  assembleUpload(asking: Asking, upload: Upload): Promise<Result<AssembleAnswer>>
  /** Uploads one named file for a release. */
  uploadReleaseFile(
    asking: Asking,
    upload: FileUpload & { readonly release: string },
  ): Promise<Result<ReleaseFile>>
  uploadDebugFile(asking: Asking, upload: FileUpload): Promise<Result<DebugFile>>
  /** Returns the debug files, by the SHA-1 of their bytes, that are still to be uploaded. */
  unknownDebugFiles(asking: Asking, sha1s: readonly string[]): Promise<Result<readonly string[]>>
  /** A call of an upload that was refused before it came here. */
  noteRefusedUpload(
    asking: Asking,
    refused: { readonly what: string; readonly reason: string },
  ): Promise<void>
  /**
   * Deletes bundles for the viewer's projects: one that others have too stays for them. Returns how many are
   * gone.
   */
  deleteArtifacts(asking: Asking, bundles: readonly number[]): Promise<Result<{ readonly deleted: number }>>
  /** `null`: as the limits say. What is beyond it goes at once. */
}

/** By slug or id; `all` that may be read: of a release that names none. */
type ProjectNames = readonly string[] | 'all'

export interface Upload {
  readonly kind: UploadKind
  readonly sha1: string
  readonly chunks: readonly string[]
  readonly projects: ProjectNames
  readonly release: string | null
  readonly dist: string | null
  readonly name: string
}

interface FileUpload {
  readonly projects: ProjectNames
  readonly request: ChunkRequest
}

const sha1 = v.pipe(
  v.string('A checksum is text.'),
  v.regex(/^[0-9a-f]{40}$/, 'A checksum is a SHA-1 in lower-case hex.'),
)
const nameField = (most: number) =>
  v.pipe(v.string('Must be text.'), v.trim(), v.maxLength(most, `At most ${most} characters.`))
const release = v.pipe(nameField(max('releaseCharsMax')), v.minLength(1, 'A release has a name.'))
const projectNames = v.union([
  v.literal('all'),
  v.pipe(
    v.array(v.string()),
    v.minLength(1, 'You need to specify at least one project'),
    v.maxLength(max('uploadProjectsMax'), `At most ${max('uploadProjectsMax')} projects.`),
  ),
])
const UPLOAD = v.object({
  kind: v.picklist(['bundle', 'debug_file']),
  sha1,
  chunks: v.pipe(v.array(sha1), v.maxLength(max('uploadChunksMax'), 'Too many chunks')),
  projects: projectNames,
  release: v.nullable(release),
  dist: v.nullable(nameField(max('distCharsMax'))),
  name: nameField(max('mapSourceNameCharsMax')),
})
const RELEASE_FILE = v.object({ projects: projectNames, release })

type Parts = Pick<CommandParts, 'accounts' | 'artifacts' | 'projects' | 'clock'> & {
  readonly changes: Changes
}
type WithArtifacts = Parts & { readonly artifacts: Artifacts }

export function artifactCommands(parts: Parts): ArtifactCommands {
  return {
    uploadChunks: async (asking, request) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, (all) =>
        withRefusalNoted(all, asking, {
          ...{ what: 'chunks', release: null, projects: [] },
          done: all.artifacts.putChunks(asking.scope.orgId, request),
        }),
      ),
    assembleUpload: async (asking, upload) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, (all) => assembleByKind(all, asking, upload)),
    uploadReleaseFile: async (asking, upload) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, (all) => storeReleaseFile(all, asking, upload)),
    uploadDebugFile: async (asking, upload) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, (all) => uploadDebugFile(all, asking, upload)),
    unknownDebugFiles: async (asking, sha1s) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, async ({ artifacts }) =>
        ok(await artifacts.unknownFiles(asking.scope.orgId, sha1s)),
      ),
    async noteRefusedUpload(asking, { what, reason }) {
      if (parts.artifacts === undefined) return
      await noteRefusal({ ...parts, artifacts: parts.artifacts }, asking, {
        what,
        reason,
        release: null,
        projects: [],
      })
    },
    deleteArtifacts: async (asking, bundles) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, async ({ artifacts }) => {
        const { orgId, projects } = asking.scope
        const ids = await artifacts.bundlesOf(asking.scope, bundles)
        if (ids.length === 0) return refuse('not_found', 'There is no such upload.')
        const deleted = await artifacts.remove(orgId, { ids, projects })
        const detail = { bundles: ids.join(', '), deleted }
        const note = { action: 'artifacts.deleted', target: `${ids.length}`, detail }
        await parts.changes.own('noteAudit', { orgId, note, actor: actorOf(parts, asking) })
        return ok({ deleted })
      }),
  }
}

function withArtifacts<T>(
  parts: Parts,
  work: (parts: WithArtifacts) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { artifacts } = parts
  if (artifacts !== undefined) return work({ ...parts, artifacts })
  return Promise.resolve(refuse('conflict', 'Uploads are taken by a running server alone.'))
}

interface Refused {
  readonly what: string
  readonly reason: string
  readonly release: string | null
  readonly projects: readonly ProjectId[]
}

function noteRefusal(
  { artifacts, ...parts }: WithArtifacts,
  asking: Asking,
  refused: Refused,
): Promise<void> {
  const { orgId } = asking.scope
  return artifacts.fail({ ...refused, orgId, atMs: parts.clock.now(), by: actorOf(parts, asking).label })
}

/** Runs an upload and keeps its result, refusals included. */
async function withRefusalNoted<T>(
  parts: WithArtifacts,
  asking: Asking,
  { done, ...what }: Omit<Refused, 'reason'> & { readonly done: Promise<Result<T>> },
): Promise<Result<T>> {
  const result = await done
  if (!result.ok) await noteRefusal(parts, asking, { ...what, reason: result.message })
  return result
}

async function assembleByKind(
  parts: WithArtifacts,
  asking: Asking,
  upload: Upload,
): Promise<Result<AssembleAnswer>> {
  const what = upload.kind === 'bundle' ? 'artifact bundle' : 'debug file'
  const about = { what, release: upload.release }
  const projects = await resolveProjects(parts, asking, upload.projects)
  const input = readInput(UPLOAD, upload)
  if (!input.ok)
    return withRefusalNoted(parts, asking, {
      ...about,
      projects: projects ?? [],
      done: Promise.resolve(input),
    })
  if (projects === null) return refuseUnknownProjects(parts, asking, { ...about, names: upload.projects })
  const { kind, sha1: bytes, chunks, release: version, dist, name: file } = input.value
  const answer = await parts.artifacts.assemble({
    ...{ kind, sha1: bytes, chunks, release: version, dist, name: file, projects },
    ...(await uploadPlace(parts, asking)),
  })
  if (answer.state === 'error')
    await noteRefusal(parts, asking, { ...about, reason: answer.detail, projects })
  if (answer.state === 'ok') await noteUpload(parts, asking, { what, name: version ?? file })
  if (answer.state === 'ok' && version !== null) await putUploadRelease(parts, asking, { projects, version })
  return ok(answer)
}

/** Makes the release of an upload; the upload stays whether or not there is room for one more release. */
async function putUploadRelease(
  parts: WithArtifacts,
  asking: Asking,
  { projects, version }: { readonly projects: readonly ProjectId[]; readonly version: string },
): Promise<void> {
  const by = { scope: asking.scope, actor: actorOf(parts, asking) }
  await parts.changes.own('noteRelease', { version, change: { projects }, commits: null, by })
}

async function storeReleaseFile(
  parts: WithArtifacts,
  asking: Asking,
  upload: FileUpload & { readonly release: string },
): Promise<Result<ReleaseFile>> {
  const about = { what: 'release file', release: upload.release }
  const projects = await resolveProjects(parts, asking, upload.projects)
  if (projects === null) return refuseUnknownProjects(parts, asking, { ...about, names: upload.projects })
  const input = readInput(RELEASE_FILE, upload)
  const done = input.ok
    ? parts.artifacts.putReleaseFile({
        ...upload.request,
        ...{ projects, release: input.value.release, dist: null },
        ...(await uploadPlace(parts, asking)),
      })
    : Promise.resolve(input)
  const answer = await withRefusalNoted(parts, asking, { ...about, projects, done })
  if (!answer.ok) return answer
  await noteUpload(parts, asking, { what: about.what, name: upload.release })
  await putUploadRelease(parts, asking, { projects, version: upload.release })
  return answer
}

async function uploadDebugFile(
  parts: WithArtifacts,
  asking: Asking,
  upload: FileUpload,
): Promise<Result<DebugFile>> {
  const about = { what: 'debug file', release: null }
  const projects = await resolveProjects(parts, asking, upload.projects)
  if (projects === null) return refuseUnknownProjects(parts, asking, { ...about, names: upload.projects })
  const done = parts.artifacts.putDebugFile({
    ...upload.request,
    ...{ projects, dist: null },
    ...(await uploadPlace(parts, asking)),
  })
  const answer = await withRefusalNoted(parts, asking, { ...about, projects, done })
  if (answer.ok) await noteUpload(parts, asking, { what: about.what, name: answer.value.name })
  return answer
}

/** Notes an upload in the audit log: it changes what frames show. */
async function noteUpload(
  parts: WithArtifacts,
  asking: Asking,
  { what, name: target }: { readonly what: string; readonly name: string },
): Promise<void> {
  const note = { action: 'artifacts.uploaded', target: target.slice(0, TARGET_CHARS), detail: { what } }
  const { orgId } = asking.scope
  await parts.changes.own('noteAudit', { orgId, note, actor: actorOf(parts, asking) })
}

const TARGET_CHARS = 200

async function uploadPlace(parts: WithArtifacts, asking: Asking) {
  const { orgId } = asking.scope
  const own = (await parts.accounts.artifactQuotas()).find((each) => each.orgId === orgId)
  return { orgId, by: actorOf(parts, asking).label, quota: own?.quota ?? ARTIFACT_QUOTA_DEFAULT }
}

function refuseUnknownProjects<T>(
  parts: WithArtifacts,
  asking: Asking,
  { names, ...about }: Omit<Refused, 'reason' | 'projects'> & { readonly names: ProjectNames },
): Promise<Result<T>> {
  const done = Promise.resolve(refuse('bad_request', 'One or more projects are invalid'))
  const named = names === 'all' ? '' : ` (${names.join(', ').slice(0, 200)})`
  return withRefusalNoted(parts, asking, { ...about, what: `${about.what}${named}`, projects: [], done })
}

/** `null` where one of them is not there, or not for whoever asks. */
async function resolveProjects(
  { projects }: Parts,
  { scope }: Asking,
  names: ProjectNames,
): Promise<readonly ProjectId[] | null> {
  if (names === 'all') return scope.projects.length > 0 ? scope.projects : null
  const found: (Project | null)[] = await Promise.all(
    [...new Set(names)].slice(0, max('uploadProjectsMax')).map((each) => projects.project(scope, each)),
  )
  const ids = found.filter((each) => each !== null).map(({ id }) => id)
  return ids.length === found.length && ids.length > 0 ? ids : null
}
