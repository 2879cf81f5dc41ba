/** From pieces to a bundle that frames can be resolved with. One upload of an organisation at a time. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Clock } from '#base/clock.ts'
import type { OrgId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFiles } from '#ports/artifact-files.ts'
import type {
  ArtifactFile,
  ArtifactIndex,
  Artifacts,
  AssembleAnswer,
  Assembly,
  ChunkRequest,
} from '#ports/artifacts.ts'
import { BadUpload, openBundle } from './bundle.ts'
import { filesOfBundle } from './manifest.ts'

export interface UploadParts {
  readonly files: ArtifactFiles
  readonly index: ArtifactIndex
  readonly clock: Clock
  readonly log: Log
  /** Maps wait to be made ready. */
  readonly onAdded: () => void
}

const CHUNK_BYTES_MAX = max('chunkBytesMax')
const CHUNKS_MAX = max('uploadChunksMax')
const SHA1 = /^[0-9a-f]{40}$/
const unzip = promisify(gunzip)

export function createUploads(parts: UploadParts): Pick<Artifacts, 'putChunks' | 'assemble'> {
  const lanes = new Map<OrgId, Promise<unknown>>()
  return {
    putChunks: (org, request) => putChunks(parts, org, request),
    assemble(assembly) {
      const before = lanes.get(assembly.orgId) ?? Promise.resolve()
      const work = before.then(
        () => assemble(parts, assembly),
        () => assemble(parts, assembly),
      )
      const done = work
        .catch(() => {})
        .then(() => {
          if (lanes.get(assembly.orgId) === done) lanes.delete(assembly.orgId)
        })
      lanes.set(assembly.orgId, done)
      return work
    },
  }
}

/** The pieces of one request, each named by its hash. */
async function putChunks(
  parts: UploadParts,
  org: OrgId,
  { contentType, body }: ChunkRequest,
): Promise<Result<null>> {
  const headers = { 'content-type': contentType }
  const form = await new Response(body.slice(), { headers }).formData().catch(() => null)
  if (form === null) return refuse('bad_request', 'The body is no multipart/form-data.')
  const pieces = [...form].filter(([, value]) => typeof value !== 'string')
  if (pieces.length > max('chunksPerRequestMax')) return refuse('bad_request', 'Too many chunks')
  for (const [field, value] of pieces) {
    if (typeof value === 'string') continue
    const bytes = new Uint8Array(await value.arrayBuffer())
    const done = await putChunk(parts, org, { sha1: value.name, bytes, isGzip: field === 'file_gzip' })
    if (!done.ok) return done
  }
  return ok(null)
}

interface Chunk {
  readonly sha1: string
  readonly bytes: Uint8Array
  readonly isGzip: boolean
}

async function putChunk(
  { files }: UploadParts,
  org: OrgId,
  { sha1, bytes, isGzip }: Chunk,
): Promise<Result<null>> {
  if (!SHA1.test(sha1)) return refuse('bad_request', 'A chunk is named by the SHA-1 of its bytes.')
  const raw = isGzip ? await unzip(bytes, { maxOutputLength: CHUNK_BYTES_MAX }).catch(() => null) : bytes
  if (raw === null) return refuse('bad_request', 'A chunk is no gzip, or larger than the chunk size.')
  if (raw.length > CHUNK_BYTES_MAX) return refuse('bad_request', 'Chunk size too large')
  if (createHash('sha1').update(raw).digest('hex') !== sha1) {
    return refuse('bad_request', 'The bytes of a chunk do not have the SHA-1 it is named by.')
  }
  if (await files.hasChunk(org, sha1)) return ok(null)
  if ((await files.chunkBytes(org)) + raw.length > max('chunkBytesWaitingMax')) {
    return refuse('conflict', 'Too many chunks wait for their upload. Finish it, or try again in a day.')
  }
  await files.putChunk(org, sha1, raw)
  return ok(null)
}

async function assemble(parts: UploadParts, assembly: Assembly): Promise<AssembleAnswer> {
  const { files, index } = parts
  const { orgId, sha1, chunks } = assembly
  const known = index.bundleOf(orgId, assembly)
  if (known !== null) {
    index.addProjects(known.id, assembly.projects)
    return { state: 'ok', detail: null }
  }
  if (!SHA1.test(sha1) || !chunks.every((chunk) => SHA1.test(chunk)))
    return failed('A checksum is a SHA-1 in hex.')
  if (chunks.length > CHUNKS_MAX) return failed('Too many chunks')
  if (!(await files.hasBundle(orgId, sha1))) {
    const missing: string[] = []
    for (const chunk of new Set(chunks)) if (!(await files.hasChunk(orgId, chunk))) missing.push(chunk)
    if (missing.length > 0 || chunks.length === 0) return { state: 'not_found', missing }
    if ((await files.join(orgId, sha1, chunks)) === null) {
      await files.dropChunks(orgId, chunks)
      return failed('Reported checksum mismatch')
    }
  }
  const answer = await keep(parts, assembly)
  await files.dropChunks(orgId, chunks)
  return answer
}

const failed = (detail: string): AssembleAnswer => ({ state: 'error', detail })

/** A bundle whose bytes are there. */
async function keep(
  { files, index, clock, log, onAdded }: UploadParts,
  assembly: Assembly,
): Promise<AssembleAnswer> {
  const { orgId, sha1, kind } = assembly
  const file = await files.openBundle(orgId, sha1)
  try {
    const listed: readonly ArtifactFile[] =
      kind === 'bundle' ? await filesOfBundle(await openBundle(file)) : []
    index.addBundle({ ...assembly, bytes: file.bytes, files: listed, uploadedMs: clock.now() })
    onAdded()
    return { state: 'ok', detail: null }
  } catch (cause) {
    if (!(cause instanceof BadUpload)) throw cause
    await files.dropBundle(orgId, sha1)
    log.warn('an upload was refused', { reason: cause.message, org: orgId })
    return failed(`The upload cannot be used: ${cause.message}.`)
  } finally {
    await file.close()
  }
}
