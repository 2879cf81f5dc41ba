/**
 * Apps as people have them: what their lock file names is installed once and kept outside of git, their sources are
 * copied beside it, and they are built by their own tools, which upload to the Errata that runs.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SetUp } from '../support/start-errata.ts'

const APPS = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Folder of one run of these tests. A second run at the same time takes another. */
// Outside of node_modules, whose files Next's webpack does not compile.
const CACHE = process.env.ERRATA_APPS_CACHE ?? join(ROOT, '.cache/apps')

const INSTALL_MS_MAX = 600_000
const BUILD_MS_MAX = 600_000
const OUTPUT_BYTES_MAX = 1 << 26

export interface App {
  /** Folder in which it is built and runs. */
  readonly root: string
  /** Folders of the repository to look for sources in; the first that has the file wins. */
  readonly sources: readonly string[]
}

/**
 * Installs `tests/apps/<name>` unless that was done before, and copies its sources, and those it shares with others,
 * over what an earlier run left. Without a registry it fails: there is no other way to test with real tools.
 */
export async function installedApp(name: string, shared: readonly string[] = []): Promise<App> {
  const sources = [name, ...shared].map((each) => join(APPS, each))
  return installed({ name, packages: join(APPS, name), sources })
}

/**
 * An app of `examples/`, with the relay as it was built. `variant` is a folder of these tests whose packages take the
 * place of the example's own: the same app with another SDK.
 */
export async function installedExample(name: string, variant?: string): Promise<App> {
  const own = join(ROOT, 'examples', name)
  const other = variant === undefined ? [] : [join(APPS, variant)]
  const sources = [...other, own]
  return installed({
    name: variant ?? name,
    packages: sources[0] ?? own,
    sources,
    within: `examples/${name}`,
  })
}

function copyRelay(to: string): void {
  rmSync(to, { recursive: true, force: true })
  for (const part of ['package.json', 'dist'])
    cpSync(join(ROOT, 'packages/relay', part), join(to, part), { recursive: true })
}

interface Wanted {
  /** Below the cache. */
  readonly name: string
  /** Has `package.json` and its lock file. */
  readonly packages: string
  readonly sources: readonly string[]
  /** An example: where it lies below a copy of what is needed of this repository, the relay. */
  readonly within?: string
}

const LOCKED: readonly string[] = ['package.json', 'package-lock.json', '.npmrc']
/** Folders that a person who tried an example left there. */
const MADE = /(?:^|[\\/])(?:node_modules|\.next|\.react-router|build)$/

async function installed({ name, packages, sources, within }: Wanted): Promise<App> {
  const hash = createHash('sha256').update(`${process.versions.node} ${process.platform} ${process.arch}`)
  const locked = LOCKED.filter((file) => existsSync(join(packages, file)))
  for (const file of locked) hash.update(readFileSync(join(packages, file)))
  const place = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`)
  const root = within === undefined ? place : join(place, within)
  // `file:../../packages/relay`, says the lock file of an example.
  if (within !== undefined) copyRelay(join(place, 'packages/relay'))
  const mark = join(root, 'node_modules/.errata-installed')
  if (!existsSync(mark)) {
    rmSync(root, { recursive: true, force: true })
    mkdirSync(root, { recursive: true })
    for (const file of locked) cpSync(join(packages, file), join(root, file))
    await npmCi(root)
    writeFileSync(mark, '')
  }
  for (const entry of readdirSync(root))
    if (entry !== 'node_modules') rmSync(join(root, entry), { recursive: true })
  for (const folder of sources.toReversed())
    cpSync(folder, root, { recursive: true, filter: (from) => !MADE.test(from.slice(folder.length)) })
  if (within !== undefined) copyRelay(join(root, 'node_modules/@errata/relay'))
  return { root, sources }
}

/** With the npm that runs the tests, or the one of the PATH; its own cache spares the registry where it can. */
async function npmCi(cwd: string): Promise<void> {
  const own = process.env.npm_execpath
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--include=dev', '--include=optional']
  const [program, first] =
    own !== undefined && /\.[cm]?js$/.test(own) ? [process.execPath, [own]] : ['npm', []]
  const PATH = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter)
  const env = { ...process.env, PATH, npm_config_local_prefix: cwd, npm_config_omit: '', NODE_ENV: '' }
  await ran(program, [...first, ...args], { cwd, env, timeout: INSTALL_MS_MAX })
}

export interface ToolOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeout?: number
}

/** Runs a program and returns what it printed, both streams in one. Fails with that text. */
export function ran(program: string, args: readonly string[], options: ToolOptions): Promise<string> {
  const all = { timeout: BUILD_MS_MAX, ...options, maxBuffer: OUTPUT_BYTES_MAX }
  return new Promise((resolve, reject) => {
    execFile(program, args, all, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr)
      else reject(new Error(`${program} ${args.join(' ')}: ${error.message}\n${stdout}`, { cause: error }))
    })
  })
}

/** Environment of a build: four variables, and a home directory in which no earlier run is remembered. */
export function buildEnvironment(shop: SetUp, home: string): Readonly<Record<string, string>> {
  return {
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    ...{ HOME: home, NO_COLOR: '1', CI: '1' },
    ...{ SENTRY_URL: shop.url, SENTRY_AUTH_TOKEN: shop.token },
    ...{ SENTRY_ORG: shop.organisation, SENTRY_PROJECT: shop.project },
  }
}

/**
 * Runs a program of the app's own packages, or `node` itself, with the Node that runs the tests. A name with a slash is
 * a file among the packages: two of them may call their programs alike.
 */
export function runTool(
  app: App,
  [name, ...args]: readonly [string, ...string[]],
  { env, cwd = app.root }: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
): Promise<string> {
  const folder = name.includes('/') ? 'node_modules' : 'node_modules/.bin'
  const program = name === 'node' ? [] : [join(app.root, folder, name)]
  return ran(process.execPath, [...program, ...args], { cwd, env })
}
