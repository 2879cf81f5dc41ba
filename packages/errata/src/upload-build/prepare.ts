/** Reads a build script by script, and gives a debug id to each that has a map and no id. */
import { createHash } from 'node:crypto'
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { BuiltFile, NotCovered, UncoveredFile } from './built-file.ts'
import { debugIdIn, newDebugId, snippetLine, withSnippet } from './debug-id.ts'
import type { FoundScripts } from './find-scripts.ts'
import { inlineMap, type MapReference, mapReferenceIn, withInlineMap } from './map-reference.ts'
import { type Probe, probeOf } from './probe.ts'
import {
  BrokenMap,
  debugIdOf,
  isLineMapped,
  parseMap,
  type SourceMapJson,
  withDebugId,
  withLineBefore,
} from './source-map.ts'
import { withSources } from './sources.ts'

export interface PrepareOptions {
  readonly isInjecting: boolean
  /** False: nothing is written. */
  readonly isWriting: boolean
  readonly hasRelease: boolean
}

/** Prepares scripts, one answer each, in order. */
export async function prepareBuild(
  found: FoundScripts,
  options: PrepareOptions,
): Promise<readonly BuiltFile[]> {
  const build = new Build(found.root, options)
  const files: BuiltFile[] = []
  for (const file of found.files) files.push(await build.prepare(file))
  // Only now every map is known: a copy may come before what it was copied from.
  const all: BuiltFile[] = []
  for (const file of files) all.push(await build.asCopy(file))
  return all
}

interface Script {
  readonly file: string
  readonly text: string
  readonly reference: MapReference | null
}

/** A script and its map as they are to be on the disk. */
interface Pair {
  readonly text: string
  readonly map: SourceMapJson
  readonly debugId: string | null
  readonly isInjected: boolean
  /** Before which line of the map as it was (from 0) there is one more now; `null` where none moved. */
  readonly lineBefore: number | null
}

class Build {
  readonly #root: string
  readonly #options: PrepareOptions
  /** Covered scripts, by the hash of their original text. */
  readonly #covered = new Map<string, { readonly file: string; readonly debugId: string | null }>()
  readonly #unmapped = new Set<string>()
  readonly #byMap = new Map<string, string>()
  readonly #byId = new Map<string, { readonly file: string; readonly hash: string }>()

  constructor(root: string, options: PrepareOptions) {
    this.#root = root
    this.#options = options
  }

  async prepare(file: string): Promise<BuiltFile> {
    const text = await readFile(join(this.#root, file), 'utf8')
    const script = { file, text, reference: mapReferenceIn(text) }
    try {
      const located = await this.#mapOf(script)
      if (located === 'generated') return { state: 'unmapped', file }
      return typeof located === 'string'
        ? uncoveredFile(file, located, this.#named(script))
        : await this.#prepareWith(script, located)
    } catch (cause) {
      if (cause instanceof BrokenMap) return uncoveredFile(file, 'map_broken', cause.message)
      if (cause instanceof NotWritten) return uncoveredFile(file, 'not_written', cause.message)
      throw cause
    }
  }

  /** Returns a script's map and where it is. */
  async #mapOf({ file, reference }: Script): Promise<LocatedMap | NotCovered | 'generated'> {
    const inline = reference === null ? null : inlineMap(reference)
    if (inline !== null) return { path: null, text: inline }
    const path = join(this.#root, file)
    for (const candidate of candidatesOf(path, reference)) {
      if (relative(this.#root, candidate).startsWith('..')) continue
      const text = await readFile(candidate, 'utf8').catch(() => null)
      if (text !== null) return { path: candidate, text }
    }
    if (reference === null) return GENERATED.test(file) ? 'generated' : 'no_map'
    return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference.address) ? 'map_elsewhere' : 'map_missing'
  }

  async #prepareWith(script: Script, located: LocatedMap): Promise<BuiltFile> {
    const { file } = script
    const sharing = located.path === null ? undefined : this.#byMap.get(located.path)
    if (sharing !== undefined) return uncoveredFile(file, 'map_shared', sharing)
    const map = parseMap(located.text)
    const mapPath = located.path ?? join(this.#root, file)
    const probe = probeOf(await withSources(map, mapPath), script.text)
    if (probe === null) {
      this.#unmapped.add(hashOf(script.text))
      return { state: 'unmapped', file }
    }
    const pair = this.#pairOf(script, located.text, map)
    if (pair.debugId === null && !this.#options.hasRelease) return uncoveredFile(file, 'no_id_no_release', '')
    const hash = hashOf(script.text)
    const twin = pair.debugId === null ? undefined : this.#byId.get(pair.debugId)
    if (twin !== undefined && twin.hash !== hash) return uncoveredFile(file, 'id_shared', twin.file)
    if (this.#options.isWriting) await this.#write(script, located, { ...pair, before: map })
    if (located.path !== null) this.#byMap.set(located.path, file)
    if (pair.debugId !== null && twin === undefined) this.#byId.set(pair.debugId, { file, hash })
    if (!this.#covered.has(hash)) this.#covered.set(hash, { file, debugId: pair.debugId })
    const mapFile = located.path === null ? null : pathBelow(this.#root, located.path)
    const { debugId, isInjected, lineBefore } = pair
    return { state: 'covered', file, mapFile, debugId, isInjected, probe: movedBy(probe, lineBefore) }
  }

  #pairOf({ text }: Script, mapText: string, map: SourceMapJson): Pair {
    const own = debugIdIn(text)
    const isKnown = own?.isRegistered === true
    if (!this.#options.isInjecting)
      return { text, map, debugId: isKnown ? own.id : null, isInjected: false, lineBefore: null }
    if (isKnown) return { ...repairPair(text, map, own.id), debugId: own.id, isInjected: false }
    const debugId = own?.id ?? debugIdOf(map) ?? newDebugId(text, mapText)
    const { script, line } = withSnippet(text, debugId)
    const moved = withDebugId(withLineBefore(map, line), debugId)
    return { text: script, map: moved, debugId, isInjected: true, lineBefore: line }
  }

  /** The script first: a map without id behind a script that begins with our line is known to be unmoved. */
  async #write(
    { file, text }: Script,
    { path }: LocatedMap,
    { text: newText, map, before }: Pair & { readonly before: SourceMapJson },
  ): Promise<void> {
    const target = join(this.#root, file)
    if (path === null) {
      const reference = map === before ? null : mapReferenceIn(newText)
      const inlined = reference === null ? newText : withInlineMap(newText, reference, JSON.stringify(map))
      if (inlined !== text) await writeWhole(target, inlined)
      return
    }
    if (newText !== text) await writeWhole(target, newText)
    if (map !== before) await writeWhole(path, JSON.stringify(map))
  }

  /** A script without its map that is byte for byte another that has one gets the same id. */
  async asCopy(built: BuiltFile): Promise<BuiltFile> {
    if (built.state !== 'uncovered' || NOT_COPIED.has(built.why)) return built
    const path = join(this.#root, built.file)
    const text = await readFile(path, 'utf8')
    const hash = hashOf(text)
    if (this.#unmapped.has(hash)) return { state: 'unmapped', file: built.file }
    const original = this.#covered.get(hash)
    if (original?.debugId == null) return built
    const { file: of, debugId } = original
    const isNew = this.#options.isInjecting && debugIdIn(text)?.isRegistered !== true
    try {
      if (isNew && this.#options.isWriting) await writeWhole(path, withSnippet(text, debugId).script)
      return { state: 'copy', file: built.file, of, debugId }
    } catch (cause) {
      if (cause instanceof NotWritten) return uncoveredFile(built.file, 'not_written', cause.message)
      throw cause
    }
  }

  #named({ reference }: Script): string {
    return reference === null ? '' : reference.address.slice(0, 200)
  }
}

/** Lists that Next writes as scripts: no code of anybody's. */
const GENERATED = /(?:^|\/)(?:required-server-files|[\w-]*manifest)\.js$/i

interface LocatedMap {
  /** `null`: inside of the script. */
  readonly path: string | null
  readonly text: string
}

const NOT_COPIED: ReadonlySet<NotCovered> = new Set(['map_broken', 'map_shared', 'id_shared', 'not_written'])

/**
 * Returns candidates: the file that the script names, the one of that name beside it, and the name that every
 * bundler gives a map.
 */
function candidatesOf(path: string, reference: MapReference | null): readonly string[] {
  const beside = `${path}.map`
  if (reference === null) return [beside]
  const name = decodeAddress(reference.address.replace(/[?#].*$/, ''))
  const leaf = join(dirname(path), name.slice(name.lastIndexOf('/') + 1))
  return /^[a-z][a-z0-9+.-]*:|^\//i.test(name) ? [leaf, beside] : [resolve(dirname(path), name), leaf, beside]
}

function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address // a percent sign that codes nothing
  }
}

/**
 * A script that has its id, and a map that may lack it, or has it from its bundler: an earlier run may have ended between
 * the two. Then the map is as it was, and says something of our own line.
 */
function repairPair(text: string, map: SourceMapJson, id: string): Pick<Pair, 'text' | 'map' | 'lineBefore'> {
  const ofMap = debugIdOf(map)
  const line = snippetLine(text, id)
  const isUnmoved = line !== null && (ofMap === null || (ofMap === id && isLineMapped(map, line)))
  if (ofMap === id && !isUnmoved) return { text, map, lineBefore: null }
  const lineBefore = isUnmoved ? line : null
  const moved = lineBefore === null ? map : withLineBefore(map, lineBefore)
  return { text, map: withDebugId(moved, id), lineBefore }
}

/** Returns the probe at its moved place: the map's answer there must stay the same. */
function movedBy(probe: Probe, lineBefore: number | null): Probe {
  return lineBefore === null || probe.line <= lineBefore ? probe : { ...probe, line: probe.line + 1 }
}

class NotWritten extends Error {}

/** A reader sees the old file or the new one, whenever this ends. */
async function writeWhole(path: string, text: string): Promise<void> {
  const scratch = `${path}.${process.pid}.errata`
  try {
    const { mode } = await stat(path)
    await writeFile(scratch, text)
    await chmod(scratch, mode)
    await rename(scratch, path)
  } catch (cause) {
    await rm(scratch, { force: true }).catch(() => {}) // what ended the writing is told
    throw new NotWritten(cause instanceof Error ? cause.message : String(cause))
  }
}

function uncoveredFile(file: string, why: NotCovered, detail: string): UncoveredFile {
  return { state: 'uncovered', file, why, detail }
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

function pathBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}
