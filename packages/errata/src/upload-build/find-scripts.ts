/** The scripts of a build folder, packages and caches left out. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** A build of 3,000 files is a large one; whoever has more has named a folder above it. */
const SCRIPTS_MAX = 50_000
const DEPTH_MAX = 40
const SCRIPT = /\.[cm]?js$/
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '.cache', '.turbo'])
/** Folders below Next's build that are skipped: kept between builds, or made by the development server. */
const SKIPPED_OF_NEXT: ReadonlySet<string> = new Set(['cache', 'dev', 'types', 'diagnostics'])

export interface FoundScripts {
  /** Absolute, every link followed. */
  readonly root: string
  /** Below the root, with `/`, sorted. */
  readonly files: readonly string[]
}

/** Follows no links below the folder. Throws a sentence for what is no folder, and for far too much. */
export async function findScripts(directory: string): Promise<FoundScripts> {
  const found = await stat(directory).catch(() => null)
  if (found?.isDirectory() !== true)
    throw new Error(`${directory} isn’t a folder: name the output folder of the build`)
  const root = await realpath(directory)
  const files: string[] = []
  await walk(root, 0, (path) => {
    files.push(relative(root, path).split(sep).join('/'))
    if (files.length > SCRIPTS_MAX)
      throw new Error(
        `${directory} has more than ${SCRIPTS_MAX} scripts: name the output folder of the build`,
      )
  })
  return { root, files: files.sort() }
}

async function walk(folder: string, depth: number, found: (path: string) => void): Promise<void> {
  if (depth > DEPTH_MAX) return
  const entries = await readdir(folder, { withFileTypes: true })
  const isNext = /[\\/]\.next$/.test(folder) || entries.some(({ name }) => name === 'BUILD_ID')
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile() && SCRIPT.test(entry.name)) found(path)
    const isSkipped = SKIPPED.has(entry.name) || (isNext && SKIPPED_OF_NEXT.has(entry.name))
    if (entry.isDirectory() && !isSkipped) await walk(path, depth + 1, found)
  }
}
