/**
 * Files that import each other, by however many steps; types count too. Across packages there can be none: that is a
 * matter of the fences.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, type SourceFile } from './sources.ts'

/** Each as the way round, `a → b → a`. There may be more: those behind a circle that was met come to light with it gone. */
export function importCircles(files: readonly SourceFile[]): readonly string[] {
  const aliases = new Map([...new Set(files.map(packageOf))].map((home) => [home, aliasesOf(home)]))
  const imports = new Map(
    files.map((file) => [file.path, importedFiles(file, aliases.get(packageOf(file)) ?? [])]),
  )
  const seen = new Set<string>()
  const circles: string[] = []
  const follow = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) circles.push([...way.slice(at), path].join(' → '))
    if (seen.has(path)) return
    seen.add(path)
    for (const next of imports.get(path) ?? []) follow(next, [...way, path])
  }
  for (const { path } of files) follow(path, [])
  return circles
}

/** Pairs such as `#limits/` and `packages/server/src/limits/`, from the package.json beside the file's folder. */
type Aliases = readonly (readonly [alias: string, folder: string])[]

function importedFiles({ path, imports }: SourceFile, aliases: Aliases): readonly string[] {
  return imports
    .map(({ specifier }) => {
      if (specifier.startsWith('.')) return new URL(specifier, `file:///${path}`).pathname.slice(1)
      return specifier.startsWith('#') ? behindAlias(specifier, path, aliases) : null
    })
    .filter((target) => target !== null)
}

function behindAlias(specifier: string, path: string, aliases: Aliases): string {
  const found = aliases.find(([alias]) => specifier.startsWith(alias))
  if (found === undefined) throw new Error(`${path}: its package.json has no place for ${specifier}`)
  const [alias, folder] = found
  return folder + specifier.slice(alias.length)
}

function packageOf({ path }: SourceFile): string {
  return path.split('/').slice(0, 2).join('/')
}

function aliasesOf(home: string): Aliases {
  const file = join(ROOT, home, 'package.json')
  if (!existsSync(file)) return []
  const { imports = {} }: { imports?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return Object.entries(imports).map(([alias, place]) => [
    alias.replace('*', ''),
    join(home, place.replace('*', '')),
  ])
}
