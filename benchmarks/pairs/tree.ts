/** Another tree to measure against: a commit, checked out and built once and kept, or a folder with sources. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/node24.mjs'
import type { Product } from '../server/build.ts'

const KEPT = join(ROOT, '.cache/bench-trees')
const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']

export interface Tree {
  readonly directory: string
  /** Name in the report. */
  readonly name: string
  readonly product: Product
}

export async function treeOf(against: string): Promise<Tree> {
  const isFolder = existsSync(join(against, 'packages/server'))
  const commit = isFolder ? null : commitOf(against)
  const directory = commit === null ? resolve(against) : checkedOut(commit)
  await buildIn(directory)
  const product = join(directory, 'packages/errata')
  const hash = readFileSync(join(product, 'dist/.source-hash'), 'utf8').slice(0, 16)
  return {
    directory,
    name: commit?.slice(0, 8) ?? `the tree of sources ${hash}`,
    product: { directory: product, bin: join(product, 'bin/errata.mjs'), hash },
  }
}

function commitOf(name: string): string {
  try {
    const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    return execFileSync('git', asked, { cwd: ROOT, encoding: 'utf8' }).trim()
  } catch {
    throw new Error(`--against takes a commit or a folder with sources; "${name}" is neither`)
  }
}

function checkedOut(commit: string): string {
  const directory = join(KEPT, commit)
  if (existsSync(directory)) return directory
  console.error(`Checking ${commit.slice(0, 8)} out.`)
  const begun = `${directory}.begun`
  rmSync(begun, { recursive: true, force: true })
  mkdirSync(begun, { recursive: true })
  const archive = `${begun}.tar`
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: ROOT })
  execFileSync('tar', ['-xf', archive, '-C', begun])
  rmSync(archive)
  installIn(begun)
  renameSync(begun, directory)
  return directory
}

/** Links what this tree has installed, if the other wants the same. */
function installIn(directory: string): void {
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(directory) === lock(ROOT)) {
    const kept = (path: string) => !path.includes('.errata-bench')
    const options = { recursive: true, verbatimSymlinks: true, filter: kept }
    // Workspaces may have some of their own.
    for (const workspace of ['', ...workspaces()]) {
      const installed = join(ROOT, workspace, 'node_modules')
      if (existsSync(installed)) cpSync(installed, join(directory, workspace, 'node_modules'), options)
    }
    return
  }
  const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (done.status !== 0) throw new Error(`what ${directory} needs could not be installed`)
}

function workspaces(): readonly string[] {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).workspaces
}

async function buildIn(directory: string): Promise<void> {
  const hashModule = pathToFileURL(join(directory, 'scripts/source-hash.mjs')).href
  // Of any tree of this repository: the same module, another root.
  const { sourceHash } = (await import(hashModule)) as { sourceHash(): string }
  const stamp = join(directory, 'packages/errata/dist/.source-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()) return
  console.error(`Building ${directory}.`)
  const done = spawnSync(process.execPath, [...FLAGS, join(directory, 'scripts/build.ts')], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (done.status !== 0) throw new Error(`the build of ${directory} failed`)
  // Again: a build writes sources of its own.
  writeFileSync(stamp, sourceHash())
}
