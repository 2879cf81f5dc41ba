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
/** One run of these tests at a time has a folder of its own; another one takes another folder. */
// Outside of node_modules, whose files Next's webpack does not compile.
const CACHE = process.env.ERRATA_APPS_CACHE ?? join(ROOT, '.cache/apps')

const INSTALL_MS_MAX = 600_000
const BUILD_MS_MAX = 600_000
const OUTPUT_BYTES_MAX = 1 << 26

export interface App {
  /** Where it is built and runs. */
  readonly root: string
  /** Where the sources lie in the repository, the first one that has a file. */
  readonly sources: readonly string[]
}

/**
 * Installs `tests/apps/<name>` unless that was done before, and copies its sources, and those it shares with others,
 * over what an earlier run left. Without a registry it fails: there is no other way to test with real tools.
 */
export async function installedApp(name: string, shared: readonly string[] = []): Promise<App> {
  const own = join(APPS, name)
  const hash = createHash('sha256').update(`${process.versions.node} ${process.platform} ${process.arch}`)
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(own, file)))
  const root = join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}`)
  const mark = join(root, 'node_modules/.errata-installed')
  if (!existsSync(mark)) {
    rmSync(root, { recursive: true, force: true })
    mkdirSync(root, { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(own, file), join(root, file))
    await npmCi(root)
    writeFileSync(mark, '')
  }
  for (const entry of readdirSync(root))
    if (entry !== 'node_modules') rmSync(join(root, entry), { recursive: true })
  const sources = [own, ...shared.map((each) => join(APPS, each))]
  for (const folder of sources.toReversed()) cpSync(folder, root, { recursive: true })
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

/** What the program printed, both ways; fails with it. */
export function ran(program: string, args: readonly string[], options: ToolOptions): Promise<string> {
  const all = { timeout: BUILD_MS_MAX, ...options, maxBuffer: OUTPUT_BYTES_MAX }
  return new Promise((resolve, reject) => {
    execFile(program, args, all, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr)
      else reject(new Error(`${program} ${args.join(' ')}: ${error.message}\n${stdout}`, { cause: error }))
    })
  })
}

/** What is set where an app is built: four variables, and a home in which no earlier run is remembered. */
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
