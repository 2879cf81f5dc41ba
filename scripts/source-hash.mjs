// One number for everything the build reads: equal means that what was built is still true.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from './node24.mjs'

const FILES = ['package-lock.json', 'tsconfig.base.json', 'scripts/build.ts', 'scripts/client-types/build.ts']
// What the handbook is made of is a part of the build.
const FOLDERS = ['packages', 'docs', 'deploy']
const SKIPPED = new Set(['node_modules', 'dist'])

/** Hex digest over names and contents of all sources. */
export function sourceHash() {
  const hash = createHash('sha256')
  const files = [
    ...FILES.map((file) => join(ROOT, file)),
    ...FOLDERS.flatMap((folder) => filesBelow(join(ROOT, folder))),
  ]
  for (const file of files.sort())
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() && !entry.name.includes('.test.') ? [path] : []
  })
}
