/** The built product: made when it is stale, and copied aside so that a build during the run changes nothing. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/node24.mjs'
import { sourceHash } from '../../scripts/source-hash.mjs'

const PACKAGE = join(ROOT, 'packages/errata')
const STAMP = join(PACKAGE, 'dist/.source-hash')
/** Below node_modules, so that the copy finds what it imports. */
const COPIES = join(ROOT, 'node_modules/.errata-bench')
const COPIES_MAX = 3

export interface Product {
  /** Folder with `bin` and `dist`. */
  readonly directory: string
  readonly bin: string
  /** Hash of the sources it was built from. */
  readonly hash: string
}

export interface ProductChoice {
  /** Take what is built, however old. */
  readonly noBuild: boolean
  /** Another build: a folder with `bin` and `dist`. */
  readonly directory: string | null
}

export function findProduct({ noBuild, directory }: ProductChoice): Product {
  if (directory !== null) return productAt(directory)
  if (!noBuild && (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sourceHash())) build()
  if (!existsSync(STAMP)) throw new Error('nothing is built: run "npm run build", or leave --no-build away')
  const copy = join(COPIES, readFileSync(STAMP, 'utf8').slice(0, 16))
  if (!existsSync(join(copy, 'dist/.source-hash'))) {
    mkdirSync(COPIES, { recursive: true })
    for (const part of ['package.json', 'dist'])
      cpSync(join(PACKAGE, part), join(copy, part), { recursive: true })
    removeOldCopies(copy)
  }
  // How it is started is not built, nor part of the hash.
  cpSync(join(PACKAGE, 'bin'), join(copy, 'bin'), { recursive: true })
  return productAt(copy)
}

function productAt(directory: string): Product {
  const stamp = join(directory, 'dist/.source-hash')
  const hash = existsSync(stamp) ? readFileSync(stamp, 'utf8') : 'unknown'
  return { directory, bin: join(directory, 'bin/errata.mjs'), hash: hash.slice(0, 16) }
}

function build(): void {
  console.error('Building.')
  const flags = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
  const done = spawnSync(process.execPath, [...flags, join(ROOT, 'scripts/build.ts'), 'errata'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (done.status !== 0) throw new Error('the build failed')
}

function removeOldCopies(kept: string): void {
  const copies = readdirSync(COPIES)
    .map((name) => join(COPIES, name))
    .filter((path) => path !== kept)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const old of copies.slice(COPIES_MAX - 1)) rmSync(old, { recursive: true, force: true })
}
