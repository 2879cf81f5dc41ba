/** Uploads of build tools. What is refused is kept as well: the tools end without an error. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Artifacts, AssembleAnswer, ChunkRequest, UploadKind } from '#ports/artifacts.ts'
import type { Project } from '#ports/projects.ts'
import { type Asking, actorOf, refusalOf } from './asking.ts'
import type { CommandParts } from './parts.ts'
import { read } from './schemas.ts'

export interface ArtifactCommands {
  uploadChunks(asking: Asking, request: ChunkRequest): Promise<Result<null>>
  /** Projects by slug or id. */
  assembleUpload(asking: Asking, upload: Upload): Promise<Result<AssembleAnswer>>
  deleteArtifacts(asking: Asking, bundles: readonly number[]): Promise<Result<{ readonly deleted: number }>>
}

export interface Upload {
  readonly kind: UploadKind
  readonly sha1: string
  readonly chunks: readonly string[]
  readonly projects: readonly string[]
  readonly release: string | null
  readonly dist: string | null
  readonly name: string
}

const sha1 = v.pipe(
  v.string('A checksum is text.'),
  v.regex(/^[0-9a-f]{40}$/, 'A checksum is a SHA-1 in lower-case hex.'),
)
const name = (most: number) =>
  v.pipe(v.string('Must be text.'), v.trim(), v.maxLength(most, `At most ${most} characters.`))
const UPLOAD = v.object({
  kind: v.picklist(['bundle', 'debug_file']),
  sha1,
  chunks: v.pipe(v.array(sha1), v.maxLength(max('uploadChunksMax'), 'Too many chunks')),
  projects: v.pipe(
    v.array(v.string()),
    v.minLength(1, 'You need to specify at least one project'),
    v.maxLength(max('uploadProjectsMax'), `At most ${max('uploadProjectsMax')} projects.`),
  ),
  release: v.nullable(name(max('releaseCharsMax'))),
  dist: v.nullable(name(max('distCharsMax'))),
  name: name(max('mapSourceNameCharsMax')),
})

type Parts = Pick<CommandParts, 'artifacts' | 'projects' | 'clock'>

export function artifactCommands(parts: Parts): ArtifactCommands {
  return {
    uploadChunks: async (asking, request) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, (artifacts) => artifacts.putChunks(asking.scope.orgId, request)),
    assembleUpload: async (asking, upload) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, (artifacts) => assemble({ ...parts, artifacts }, asking, upload)),
    deleteArtifacts: async (asking, bundles) =>
      refusalOf(asking, 'release.write') ??
      withArtifacts(parts, async (artifacts) => {
        const own = await artifacts.bundlesOf(asking.scope, bundles)
        return ok({ deleted: await artifacts.remove(asking.scope.orgId, { ids: own }) })
      }),
  }
}

function withArtifacts<T>(
  { artifacts }: Pick<CommandParts, 'artifacts'>,
  work: (artifacts: Artifacts) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (artifacts !== undefined) return work(artifacts)
  return Promise.resolve(refuse('conflict', 'Uploads are taken by a running server alone.'))
}

async function assemble(
  parts: Parts & { readonly artifacts: Artifacts },
  asking: Asking,
  upload: Upload,
): Promise<Result<AssembleAnswer>> {
  const { artifacts, clock } = parts
  const by = actorOf(parts, asking).label
  const found = await projectsOf(parts, asking, upload.projects)
  const { orgId } = asking.scope
  const tell = (reason: string, projects: readonly ProjectId[]) =>
    artifacts.fail({
      ...{ orgId, projects, release: upload.release, atMs: clock.now(), reason, by },
      what: upload.kind === 'bundle' ? 'artifact bundle' : 'debug file',
    })
  const input = read(UPLOAD, upload)
  if (!input.ok) {
    await tell(input.message, found ?? [])
    return input
  }
  if (found === null) {
    await tell(`One or more projects are invalid: ${upload.projects.join(', ').slice(0, 200)}`, [])
    return refuse('bad_request', 'One or more projects are invalid')
  }
  const answer = await artifacts.assemble({ ...input.value, orgId, projects: found, by })
  if (answer.state === 'error') await tell(answer.detail, found)
  return ok(answer)
}

/** `null` where one of them is not there, or not for whoever asks. */
async function projectsOf(
  { projects }: Parts,
  { scope }: Asking,
  names: readonly string[],
): Promise<readonly ProjectId[] | null> {
  const found: (Project | null)[] = await Promise.all(
    [...new Set(names)].slice(0, max('uploadProjectsMax')).map((each) => projects.project(scope, each)),
  )
  const ids = found.filter((each) => each !== null).map(({ id }) => id)
  return ids.length === found.length && ids.length > 0 ? ids : null
}
