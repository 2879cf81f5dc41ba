/**
 * Files that import each other, by however many steps; types count too. Across packages there can be none: that is a
 * matter of the fences.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, type SourceFile } from './sources.ts'

/** Imports of each file. */
type Arrows = ReadonlyMap<string, readonly string[]>

/** Files that import each other. Each circle as the way round, `a → b → a`; those behind one that was met come to light with it gone. */
export function importCircles(files: readonly SourceFile[]): readonly string[] {
  return circlesOf(arrowsOf(files))
}

/** Rooms side by side in a folder, files and folders, that import each other: in any folder of a package's `src` or `testing`. */
export function roomCircles(files: readonly SourceFile[]): readonly string[] {
  const arrows = arrowsOf(
    files.filter(({ path }) => /\/(src|testing)\//.test(path) && !path.includes('.test.')),
  )
  const folders = new Set([...arrows.keys()].flatMap(foldersAbove))
  return [...folders].flatMap((folder) => circlesOf(roomArrows(folder, arrows)))
}

function roomArrows(folder: string, arrows: Arrows): Arrows {
  const rooms = new Map<string, string[]>()
  for (const [path, imported] of arrows) {
    const room = roomIn(folder, path)
    if (room === null) continue
    const others = imported.map((target) => roomIn(folder, target)).filter((other) => other !== null)
    rooms.set(room, [...(rooms.get(room) ?? []), ...others.filter((other) => other !== room)])
  }
  return rooms
}

/** `src/a/b/c.ts` is in the room `src/a/b` of the folder `src/a`. */
function roomIn(folder: string, path: string): string | null {
  if (!path.startsWith(`${folder}/`)) return null
  const end = path.indexOf('/', folder.length + 1)
  return end < 0 ? path : path.slice(0, end)
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/')
  const first = parts.findIndex((part) => part === 'src' || part === 'testing') + 1
  return parts.slice(first).map((_, index) => parts.slice(0, first + index).join('/'))
}

function circlesOf(arrows: Arrows): readonly string[] {
  const seen = new Set<string>()
  const circles: string[] = []
  const follow = (room: string, way: readonly string[]): void => {
    const at = way.indexOf(room)
    if (at >= 0) circles.push([...way.slice(at), room].join(' → '))
    if (seen.has(room)) return
    seen.add(room)
    for (const next of arrows.get(room) ?? []) follow(next, [...way, room])
  }
  for (const room of arrows.keys()) follow(room, [])
  return circles
}

function arrowsOf(files: readonly SourceFile[]): Arrows {
  const aliases = new Map([...new Set(files.map(packageOf))].map((home) => [home, aliasesOf(home)]))
  return new Map(files.map((file) => [file.path, importedFiles(file, aliases.get(packageOf(file)) ?? [])]))
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
