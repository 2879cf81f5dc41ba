/** Pieces of uploads: each named by the SHA-1 of its bytes, kept once for an organisation until an upload is made of it. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { OrgId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFiles } from '#ports/artifact-files.ts'
import type { ChunkRequest } from './artifact-work.ts'
import { type FormPart, readForm } from './form.ts'

const CHUNK_BYTES_MAX = max('chunkBytesMax')
const SHA1 = /^[0-9a-f]{40}$/
const unzip = promisify(gunzip)

export class Chunks {
  readonly #files: ArtifactFiles
  /**
   * Pieces that several uploads need, with the number of uploads beside the first: whoever is done leaves
   * them to the others.
   */
  readonly #others = new Map<string, number>()

  constructor(files: ArtifactFiles) {
    this.#files = files
  }

  /** The pieces of one request. Where one of them is refused, none of them is kept. */
  async put(org: OrgId, request: ChunkRequest): Promise<Result<null>> {
    const form = await readForm(request, max('chunksPerRequestMax'))
    if (!form.ok) return form
    const kept: string[] = []
    const usage = { ...(await this.#files.chunkUsage(org)) }
    for (const part of form.value) {
      if (part.fileName === null) continue
      const done = await this.#putOne(org, part, usage)
      if (!done.ok) {
        await this.#files.drop('chunks', org, kept)
        return done
      }
      if (done.value) kept.push(part.fileName)
    }
    return ok(null)
  }

  /** Returns the pieces that are missing. The others are kept for this upload. */
  async missing(org: OrgId, chunks: readonly string[]): Promise<readonly string[]> {
    const missing: string[] = []
    const there: string[] = []
    for (const chunk of new Set(chunks)) {
      const isThere = await this.#files.has({ area: 'chunks', org, name: chunk })
      ;(isThere ? there : missing).push(chunk)
    }
    if (missing.length > 0) for (const chunk of there) this.#share(org, chunk)
    return missing
  }

  /** An upload was made of them, or cannot be. */
  async drop(org: OrgId, chunks: readonly string[]): Promise<void> {
    const unused: string[] = []
    for (const chunk of new Set(chunks)) {
      const key = `${org}/${chunk}`
      const others = this.#others.get(key) ?? 0
      if (others > 1) this.#others.set(key, others - 1)
      else this.#others.delete(key)
      if (others === 0) unused.push(chunk)
    }
    await this.#files.drop('chunks', org, unused)
  }

  #share(org: OrgId, chunk: string): void {
    const key = `${org}/${chunk}`
    // Forgotten, a piece is asked for once more.
    if (this.#others.size >= max('chunksWaitingMax')) this.#others.clear()
    this.#others.set(key, (this.#others.get(key) ?? 0) + 1)
  }

  /** True for one that was not there. */
  async #putOne(
    org: OrgId,
    { fileName, field, bytes }: FormPart,
    usage: { count: number; bytes: number },
  ): Promise<Result<boolean>> {
    const sha1 = fileName ?? ''
    if (!SHA1.test(sha1)) return refuse('bad_request', 'A chunk is named by the SHA-1 of its bytes.')
    const raw =
      field === 'file_gzip'
        ? await unzip(bytes, { maxOutputLength: CHUNK_BYTES_MAX }).catch(() => null)
        : bytes
    if (raw === null) return refuse('bad_request', 'A chunk is no gzip, or larger than the chunk size.')
    if (raw.length > CHUNK_BYTES_MAX) return refuse('bad_request', 'Chunk size too large')
    if (createHash('sha1').update(raw).digest('hex') !== sha1)
      return refuse('bad_request', 'The bytes of a chunk do not have the SHA-1 it is named by.')
    if (await this.#files.has({ area: 'chunks', org, name: sha1 })) {
      this.#share(org, sha1)
      return ok(false)
    }
    usage.bytes += raw.length
    usage.count++
    if (usage.bytes > max('chunkBytesWaitingMax') || usage.count > max('chunksWaitingMax'))
      return refuse('conflict', 'Too many chunks wait for their upload. Finish it, or try again in a day.')
    await this.#files.put({ area: 'chunks', org, name: sha1 }, raw)
    return ok(true)
  }
}
