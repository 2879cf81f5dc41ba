/** Makes uploaded maps ready for frames, one after the other, away from whatever carries ingest. */
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { ArtifactFiles, BundleBytes } from '#ports/artifact-files.ts'
import type { ArtifactIndex, WaitingMap } from '#ports/artifacts.ts'
import { inlineMapOf } from '#symbolicate/compile/inline-map.ts'
import { sourceName } from '#symbolicate/paths.ts'
import { BadUpload, type OpenBundle, openBundle } from './bundle.ts'
import { readManifest } from './manifest.ts'

export interface UploadedMap {
  readonly map: Uint8Array
  readonly minified: Uint8Array | null
  /** Texts of sources by their cleaned names. */
  readonly sources: ReadonlyMap<string, string>
}

export interface ReadyingParts {
  readonly files: ArtifactFiles
  readonly index: ArtifactIndex
  readonly log: Log
  /** Makes one map ready; takes memory by its size. @throws what is wrong with it */
  readonly compile: (map: UploadedMap) => Promise<Uint8Array>
  /** Ends a running `compile`, which throws then. */
  readonly stopCompiling: () => Promise<void>
  /** No map waits any more: what was uploaded can be used, as far as it is usable. */
  readonly onReady: () => void
}

const AT_ONCE = 50
const TRIES_MAX = max('mapTriesMax')

export interface Readying {
  /** Goes on until no map waits. */
  wake(): void
  /** Closes; maps that are being read stay waiting, and the next start begins them again. */
  close(): Promise<void>
}

export function createReadying(parts: ReadyingParts): Readying {
  let running: Promise<void> | null = null
  let later: NodeJS.Timeout | null = null
  let isWanted = false
  let isClosed = false
  const run = async () => {
    while (isWanted && !isClosed) {
      isWanted = false
      try {
        await readyAll(parts, () => isClosed)
      } catch (cause) {
        parts.log.error('source maps cannot be made ready now', { reason: String(cause).slice(0, 200) })
        later ??= setTimeout(wake, max('mapRetryMs'))
        later.unref()
        return
      }
    }
  }
  const wake = () => {
    if (isClosed) return
    if (later !== null) clearTimeout(later)
    later = null
    isWanted = true
    running ??= run().finally(() => {
      running = null
      if (isWanted && later === null) wake() // asked for between the last look and here
    })
  }
  return {
    wake,
    async close() {
      isClosed = true
      if (later !== null) clearTimeout(later)
      await parts.stopCompiling()
      await running
    },
  }
}

async function readyAll(parts: ReadyingParts, isClosed: () => boolean): Promise<void> {
  const reader = new BundleReader(parts)
  try {
    for (;;) {
      const waiting = parts.index.waitingMaps(AT_ONCE)
      if (waiting.length === 0 || isClosed()) break
      for (const map of waiting) {
        if (isClosed()) break
        await readyOne({ ...parts, reader, isClosed }, map)
      }
    }
  } finally {
    await reader.close()
  }
  if (!isClosed()) parts.onReady()
}

interface ReadyOne extends ReadyingParts {
  readonly reader: BundleReader
  readonly isClosed: () => boolean
}

/** @throws what keeps any map from being made ready, such as a full disk: this one waits on */
async function readyOne(parts: ReadyOne, waiting: WaitingMap): Promise<void> {
  const { files, index } = parts
  const { orgId, mapKey } = waiting
  if (index.mapBegun(orgId, mapKey) > TRIES_MAX) {
    giveUpMap(parts, waiting, `Errata ended ${TRIES_MAX} times while it was read`)
    return
  }
  let compiled: Uint8Array
  try {
    compiled = await parts.compile(await parts.reader.mapOf(waiting))
  } catch (cause) {
    if (parts.isClosed()) index.mapPutBack(orgId, mapKey)
    else giveUpMap(parts, waiting, cause instanceof Error ? cause.message : String(cause))
    return
  }
  try {
    await files.put({ area: 'maps', org: orgId, name: mapKey }, compiled)
  } catch (cause) {
    index.mapPutBack(orgId, mapKey)
    throw cause
  }
  const isWanted = index.mapDone(orgId, mapKey, { bytes: compiled.length, problem: null })
  // Its bundle was removed meanwhile.
  if (!isWanted) await files.drop('maps', orgId, [mapKey])
}

function giveUpMap(
  { index, log }: ReadyingParts,
  { orgId, mapKey, path }: WaitingMap,
  problem: string,
): void {
  log.warn('a source map cannot be used', { reason: problem.slice(0, 200), file: path.slice(0, 200) })
  index.mapDone(orgId, mapKey, { bytes: 0, problem: problem.slice(0, 500) })
}

function inlineMap(file: Uint8Array): Uint8Array {
  const map = inlineMapOf(file)
  if (map === null) throw new BadUpload('the map that the file carries cannot be read')
  return map
}

/** The bundle whose maps are being made ready: opened once for all of them, its list of files and its sources read once. */
class BundleReader {
  readonly #parts: Pick<ReadyingParts, 'files' | 'index'>
  #open: {
    readonly id: number
    readonly file: BundleBytes
    readonly bundle: OpenBundle
    readonly sources: ReadonlyMap<string, string>
  } | null = null

  constructor(parts: Pick<ReadyingParts, 'files' | 'index'>) {
    this.#parts = parts
  }

  async mapOf(waiting: WaitingMap): Promise<UploadedMap> {
    const { bundle, sources } = this.#open?.id === waiting.bundle ? this.#open : await this.#next(waiting)
    const map = await bundle.read(waiting.path, max('mapBytesMax'))
    if (map === null) throw new BadUpload(`larger than ${max('mapBytesMax')} bytes`)
    const minified =
      waiting.minifiedPath === null ? null : await bundle.read(waiting.minifiedPath, max('mapBytesMax'))
    return { map: waiting.path === waiting.minifiedPath ? inlineMap(map) : map, minified, sources }
  }

  async close(): Promise<void> {
    const open = this.#open
    this.#open = null
    await open?.file.close()
  }

  async #next({ bundle: id, orgId }: WaitingMap) {
    await this.close()
    const sha1 = this.#parts.index.bundleSha1(id)
    if (sha1 === null) throw new BadUpload('its bundle is gone')
    const file = await this.#parts.files.openBundle(orgId, sha1)
    try {
      const bundle = await openBundle(file)
      this.#open = { id, file, bundle, sources: await sourcesOf(bundle) }
      return this.#open
    } catch (cause) {
      await file.close()
      throw cause
    }
  }
}

const SOURCES_BYTES_MAX = max('bundleSourcesBytesMax')
const WRITTEN = /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/

/** Texts of sources that the bundle holds beside its maps, by name. */
async function sourcesOf(bundle: OpenBundle): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>()
  let bytes = 0
  for (const { path, type, url, debugId, mapReference } of await readManifest(bundle)) {
    // Some tools upload sources as what they are compiled to, without id and map.
    const isSource =
      type === 'source' || (type === 'minified_source' && debugId === null && mapReference === null)
    if (!isSource || !WRITTEN.test(url)) continue
    bytes += bundle.bytesOf(path)
    if (bytes > SOURCES_BYTES_MAX) break
    const text = await bundle.read(path, max('mapParsedSourceBytesMax'))
    if (text !== null) sources.set(sourceName(url.replace(/^~\//, '')), Buffer.from(text).toString('utf8'))
  }
  return sources
}
