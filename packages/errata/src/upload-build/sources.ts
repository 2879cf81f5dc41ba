/** Texts of sources that a map names but does not hold, read from where the build was made. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isObject, type SourceMapJson } from './source-map.ts'

/** Nothing but sources is read: a map of a package may name any file. */
const SOURCE = /\.(?:[mc]?[jt]sx?|vue|svelte|astro|coffee)$/i
const SOURCE_BYTES_MAX = 4 * 1024 * 1024

/** The same map where it holds every text, or none can be had. `mapPath`: what its sources are relative to. */
export async function withSources(map: SourceMapJson, mapPath: string): Promise<SourceMapJson> {
  if (!Array.isArray(map.sections)) return plainWithSources(map, mapPath)
  const sections: unknown[] = []
  for (const section of map.sections) {
    const inner = isObject(section) && isObject(section.map) ? section.map : null
    sections.push(inner === null ? section : { ...section, map: await plainWithSources(inner, mapPath) })
  }
  return { ...map, sections }
}

async function plainWithSources(map: SourceMapJson, mapPath: string): Promise<SourceMapJson> {
  const sources: readonly unknown[] = Array.isArray(map.sources) ? map.sources : []
  const held: readonly unknown[] = Array.isArray(map.sourcesContent) ? map.sourcesContent : []
  const root = typeof map.sourceRoot === 'string' ? map.sourceRoot : ''
  const sourcesContent: unknown[] = []
  let isChanged = false
  for (const [at, source] of sources.entries()) {
    const own = typeof held[at] === 'string' ? held[at] : null
    const read = own === null && typeof source === 'string' ? await textOf({ source, root, mapPath }) : null
    isChanged ||= read !== null
    sourcesContent.push(own ?? read)
  }
  return isChanged ? { ...map, sourcesContent } : map
}

interface NamedSource {
  readonly source: string
  readonly root: string
  readonly mapPath: string
}

async function textOf({ source, root, mapPath }: NamedSource): Promise<string | null> {
  const name = source.replace(/^file:\/\//, '').replace(/[?#].*$/, '')
  if (!SOURCE.test(name) || /^[a-z][a-z0-9+.-]+:/i.test(name)) return null
  const path = resolve(dirname(mapPath), root.replace(/^file:\/\//, ''), name)
  const found = await stat(path).catch(() => null)
  if (found?.isFile() !== true || found.size > SOURCE_BYTES_MAX) return null
  return readFile(path, 'utf8').catch(() => null)
}
