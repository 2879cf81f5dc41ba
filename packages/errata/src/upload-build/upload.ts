/** Sends bundles in chunks: asks first, so that nothing is sent that is there. docs/wire.md, section "Uploads". */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import * as v from 'valibot'
import type { MadeBundle } from './bundles.ts'
import { CallFailed, explainMissing, type ServerCalls } from './server-calls.ts'
import type { BuildName, Target } from './target.ts'

const size = v.pipe(v.number(), v.integer(), v.minValue(1))
const OPTIONS = v.object({
  chunkSize: size,
  chunksPerRequest: size,
  maxRequestSize: size,
  maxFileSize: v.optional(v.nullable(size)),
  compression: v.optional(v.array(v.string()), []),
})
type UploadOptions = v.InferOutput<typeof OPTIONS>

const ASSEMBLED = v.object({
  state: v.string(),
  missingChunks: v.optional(v.array(v.string()), []),
  detail: v.optional(v.nullable(v.string())),
})

const POLL_MS = 500
const POLLS_MAX = 240

/** Returns the path of a target's organisation, which may have any slug. */
function organisationPath({ org }: Pick<Target, 'org'>): string {
  return `/organizations/${encodeURIComponent(org)}`
}

export async function createRelease(calls: ServerCalls, target: Target, name: BuildName): Promise<void> {
  if (name.release === null) return
  const json = { version: name.release, projects: [target.project] }
  await calls.post(`${organisationPath(target)}/releases/`, { json }, v.unknown())
}

export class Uploads {
  readonly #calls: ServerCalls
  readonly #target: Target
  readonly #name: BuildName
  readonly #options: UploadOptions

  static async open(calls: ServerCalls, target: Target, name: BuildName): Promise<Uploads> {
    const path = `${organisationPath(target)}/chunk-upload/`
    const options = await calls.get(path, OPTIONS).catch(explainMissing(target))
    return new Uploads(calls, { target, name, options })
  }

  private constructor(
    calls: ServerCalls,
    {
      target,
      name,
      options,
    }: { readonly target: Target; readonly name: BuildName; readonly options: UploadOptions },
  ) {
    this.#calls = calls
    this.#target = target
    this.#name = name
    this.#options = options
  }

  /** Whether anything of it had to be sent. */
  async send({ bytes, sha1 }: MadeBundle): Promise<boolean> {
    const { maxFileSize } = this.#options
    if (typeof maxFileSize === 'number' && bytes.length > maxFileSize)
      throw new CallFailed(`a bundle has ${bytes.length} bytes, and ${maxFileSize} are allowed`, 413)
    const chunks = chunksOf(bytes, this.#options.chunkSize)
    const request = {
      ...{ checksum: sha1, chunks: chunks.map(({ hash }) => hash), projects: [this.#target.project] },
      ...(this.#name.release === null ? {} : { version: this.#name.release }),
      ...(this.#name.dist === null ? {} : { dist: this.#name.dist }),
    }
    const first = await this.#assemble(request)
    if (first.state !== 'not_found') return false
    await this.#sendChunks(chunks.filter(({ hash }) => first.missingChunks.includes(hash)))
    const second = await this.#assemble(request)
    if (second.state === 'not_found')
      throw new CallFailed('the server is missing chunks that were sent: try again', 500)
    return true
  }

  /** Until the server has made up its mind. */
  async #assemble(json: unknown): Promise<v.InferOutput<typeof ASSEMBLED>> {
    for (let polls = 0; polls < POLLS_MAX; polls++) {
      const path = `${organisationPath(this.#target)}/artifactbundle/assemble/`
      const answer = await this.#calls.post(path, { json }, ASSEMBLED)
      if (answer.state === 'error') throw new CallFailed(answer.detail ?? 'the upload can’t be used', 400)
      if (answer.state !== 'created' && answer.state !== 'assembling') return answer
      await pause(POLL_MS)
    }
    throw new CallFailed(
      'the server is still reading the upload: check the Source maps page of the project',
      504,
    )
  }

  async #sendChunks(chunks: readonly Chunk[]): Promise<void> {
    const { chunksPerRequest, maxRequestSize, compression } = this.#options
    const isPacked = compression.includes('gzip')
    let [form, count, bytes] = [new FormData(), 0, 0]
    const flush = async () => {
      if (count > 0)
        await this.#calls.post(`${organisationPath(this.#target)}/chunk-upload/`, { form }, v.unknown())
      ;[form, count, bytes] = [new FormData(), 0, 0]
    }
    for (const { hash, bytes: chunk } of chunks) {
      const sent = isPacked ? await packed(chunk) : chunk
      if (count === chunksPerRequest || bytes + sent.length > maxRequestSize) await flush()
      form.append(isPacked ? 'file_gzip' : 'file', new Blob([new Uint8Array(sent)]), hash)
      count++
      bytes += sent.length
    }
    await flush()
  }
}

const packed = promisify(gzip)

interface Chunk {
  readonly hash: string
  readonly bytes: Buffer
}

function chunksOf(bytes: Buffer, chunkBytes: number): readonly Chunk[] {
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) => {
    const chunk = bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes)
    return { hash: createHash('sha1').update(chunk).digest('hex'), bytes: chunk }
  })
}
