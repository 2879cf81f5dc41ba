/** From pieces to a bundle that frames can be resolved with. One upload of an organisation at a time. */
import { createHash } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import type { OrgId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { ok, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { ArtifactFiles } from '#ports/artifact-files.ts'
import type { ArtifactIndex, BundlesToRemove, NewBundle } from '#ports/artifacts.ts'
import { actionsOfBundle } from './actions.ts'
import type { Artifacts, AssembleAnswer, Assembly } from './artifact-work.ts'
import { BadUpload, type OpenBundle, openBundle } from './bundle.ts'
import { Chunks } from './chunks.ts'
import { filesOfBundle } from './manifest.ts'
import { type ReceivedFile, readReleaseFile, readSingleFile, wrapInBundle } from './single-files.ts'

export interface UploadParts {
  readonly files: ArtifactFiles
  readonly index: ArtifactIndex
  readonly clock: Clock
  readonly log: Log
  /** Maps wait to be made ready. */
  readonly onAdded: () => void
  /** No quota is larger: uploads must not use up what events need. `null`: nothing bounds the disk. */
  readonly bytesMax: number | null
}

type Uploads = Pick<
  Artifacts,
  'putChunks' | 'assemble' | 'putReleaseFile' | 'putDebugFile' | 'unknownFiles' | 'remove'
>

const CHUNKS_MAX = max('uploadChunksMax')
const SHA1 = /^[0-9a-f]{40}$/

export function createUploads(parts: UploadParts): Uploads {
  const lanes = new OrgLanes()
  const own = { ...parts, chunks: new Chunks(parts.files) }
  return {
    putChunks: (org, request) => own.chunks.put(org, request),
    assemble: (assembly) => lanes.run(assembly.orgId, () => assemble(own, assembly)),
    putReleaseFile: (upload) => lanes.run(upload.orgId, () => putReleaseFile(own, upload)),
    putDebugFile: (upload) => lanes.run(upload.orgId, () => putDebugFile(own, upload)),
    unknownFiles: async (org, sha1s) =>
      sha1s.filter((sha1) => !SHA1.test(sha1) || !isUploadKnown(parts, org, sha1)),
    remove: (org, which) => lanes.run(org, () => remove(parts, org, which)),
  }
}

interface Own extends UploadParts {
  readonly chunks: Chunks
}

async function assemble(parts: Own, assembly: Assembly): Promise<AssembleAnswer> {
  const { files, index, chunks, onAdded } = parts
  const { orgId, sha1 } = assembly
  const known = index.bundleOf(orgId, assembly)
  if (known !== null) {
    index.addProjects(known.id, assembly.projects)
    onAdded()
    return { state: 'ok', detail: null }
  }
  if (!SHA1.test(sha1) || !assembly.chunks.every((chunk) => SHA1.test(chunk)))
    return assembleFailure('A checksum is a SHA-1 in hex.')
  if (assembly.chunks.length > CHUNKS_MAX) return assembleFailure('Too many chunks')
  if (!(await files.has({ area: 'bundles', org: orgId, name: sha1 }))) {
    const missing = await chunks.missing(orgId, assembly.chunks)
    if (missing.length > 0 || assembly.chunks.length === 0) return { state: 'not_found', missing }
    const joined = await files.join(orgId, sha1, assembly.chunks)
    if (joined === 'gone')
      return { state: 'not_found', missing: await chunks.missing(orgId, assembly.chunks) }
    if (joined === 'other_bytes') {
      await chunks.drop(orgId, assembly.chunks)
      return assembleFailure('Reported checksum mismatch')
    }
  }
  const answer = await keep(parts, assembly)
  await chunks.drop(orgId, assembly.chunks)
  return answer
}

const assembleFailure = (detail: string): AssembleAnswer => ({ state: 'error', detail })

/** A bundle whose bytes are there. Nothing of one that cannot be used stays. */
async function keep(parts: UploadParts, assembly: Omit<Assembly, 'chunks'>): Promise<AssembleAnswer> {
  const { files, index, clock, log, onAdded } = parts
  const { orgId, sha1, kind, quota } = assembly
  const file = await files.openBundle(orgId, sha1)
  try {
    const { bytesMax } = boundQuota(parts, quota)
    if (file.bytes > bytesMax)
      throw new BadUpload(`it has ${file.bytes} bytes; the organisation keeps ${bytesMax} of uploads`)
    const contents = kind === 'bundle' ? await contentsOf(await openBundle(file)) : { files: [] }
    index.addBundle({ ...assembly, ...contents, bytes: file.bytes, uploadedMs: clock.now() })
  } catch (cause) {
    if (!(cause instanceof BadUpload)) throw cause
    if (!index.hasBytes(orgId, sha1)) await files.drop('bundles', orgId, [sha1])
    log.warn('an upload was refused', { reason: cause.message, org: orgId })
    return assembleFailure(`The upload cannot be used: ${cause.message}.`)
  } finally {
    await file.close()
  }
  await removeBeyond(parts, orgId, quota)
  onAdded()
  return { state: 'ok', detail: null }
}

async function contentsOf(bundle: OpenBundle): Promise<Pick<NewBundle, 'files' | 'actions'>> {
  return { files: await filesOfBundle(bundle), actions: await actionsOfBundle(bundle) }
}

async function removeBeyond(parts: UploadParts, org: OrgId, beyond: ArtifactQuota): Promise<void> {
  const count = await remove(parts, org, { beyond, nowMs: parts.clock.now() })
  if (count > 0) parts.log.info('uploads beyond the quota were removed', { org, count })
}

function boundQuota({ bytesMax }: UploadParts, quota: ArtifactQuota): ArtifactQuota {
  return bytesMax === null ? quota : { ...quota, bytesMax: Math.min(quota.bytesMax, bytesMax) }
}

/** The rows first: a file that is left is removed by the next start, a row without its file would answer for it. */
async function remove(parts: UploadParts, org: OrgId, which: BundlesToRemove): Promise<number> {
  const { files, index } = parts
  const wanted = 'beyond' in which ? { ...which, beyond: boundQuota(parts, which.beyond) } : which
  const { count, files: sha1s, mapKeys } = index.remove(org, wanted)
  await files.drop('bundles', org, sha1s)
  await files.drop('maps', org, mapKeys)
  return count
}

function isUploadKnown({ index }: UploadParts, org: OrgId, sha1: string): boolean {
  return index.bundleOf(org, { kind: 'debug_file', sha1, release: null, dist: null }) !== null
}

async function putReleaseFile(
  parts: UploadParts,
  upload: Parameters<Artifacts['putReleaseFile']>[0],
): ReturnType<Artifacts['putReleaseFile']> {
  const { index } = parts
  const read = await readReleaseFile(upload)
  if (!read.ok) return read
  const { name, dist } = read.value
  const scope = { orgId: upload.orgId, projects: upload.projects }
  const one = { release: upload.release, project: null, name: { name, dist }, afterId: 0, limit: 1 }
  if (index.releaseFiles(scope, one).length > 0)
    return refuse('conflict', 'A file matching this name already exists for the given release')
  const stored = await keepFile(parts, upload, {
    ...{ kind: 'bundle', name: '', bytes: wrapInBundle(read.value), release: upload.release, dist },
  })
  if (stored.state === 'error') return refuse('bad_request', stored.detail)
  const [file] = index.releaseFiles(scope, one)
  return file === undefined ? refuse('bad_request', 'The file is beyond the quota.') : ok(file)
}

async function putDebugFile(
  parts: UploadParts,
  upload: Parameters<Artifacts['putDebugFile']>[0],
): ReturnType<Artifacts['putDebugFile']> {
  const read = await readSingleFile(upload)
  if (!read.ok) return read
  const { name, bytes } = read.value
  const stored = await keepFile(parts, upload, {
    ...{ kind: 'debug_file', name, bytes, release: null, dist: null },
  })
  return stored.state === 'error'
    ? refuse('bad_request', stored.detail)
    : ok({ sha1: sha1Of(bytes), name, bytes: bytes.length })
}

type Kept = Pick<Assembly, 'kind' | 'name' | 'release' | 'dist'> & Pick<ReceivedFile, 'bytes'>

async function keepFile(
  parts: UploadParts,
  upload: Pick<Assembly, 'orgId' | 'projects' | 'by' | 'quota'>,
  { bytes, ...kept }: Kept,
): Promise<AssembleAnswer> {
  const { orgId, projects, by, quota } = upload
  const sha1 = sha1Of(bytes)
  await parts.files.put({ area: 'bundles', org: orgId, name: sha1 }, bytes)
  return keep(parts, { ...{ orgId, projects, by, quota, sha1 }, ...kept })
}

function sha1Of(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex')
}

class OrgLanes {
  readonly #last = new Map<OrgId, Promise<unknown>>()

  /** Runs when what came before has ended, however that ended. */
  run<T>(org: OrgId, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(org) ?? Promise.resolve()
    const mine = before.then(work, work)
    const done = mine
      .catch(() => {}) // whoever asked has the error
      .then(() => {
        if (this.#last.get(org) === done) this.#last.delete(org)
      })
    this.#last.set(org, done)
    return mine
  }
}
