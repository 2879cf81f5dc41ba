// `npm test`: installs what tests need, checks, builds, and runs every suite with Node's own runner.
// `npm test -- path …` runs those files alone. `npm run test:long` runs what takes long, at full length;
// `npm run test:apps` builds real apps, whose packages come from the registry.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, ensureNode24, ROOT, runToEnd } from './node24.mjs'
import { sourceHash } from './source-hash.mjs'

/** Suites that share nothing but their code: one after the other in one process they take half the CPU of a process each. */
const PURE = [
  'packages/protocol/src/',
  'packages/relay/src/',
  'packages/server/src/access/',
  'packages/server/src/alerts/',
  'packages/server/src/base/',
  'packages/server/src/filter/',
  'packages/server/src/group/',
  'packages/server/src/issues/',
  'packages/server/src/kinds/',
  'packages/server/src/limits/',
  'packages/server/src/model/',
  'packages/server/src/normalize/',
  'packages/server/src/notices/rules/',
  'packages/server/src/queries/search/',
  'packages/server/src/recognise/',
  'packages/server/src/requests/',
  'packages/server/src/scrub/',
  'packages/server/src/skew/',
  'packages/server/src/symbolicate/',
  'packages/web/src/',
]
/**
 * Suites that open stores and servers of their own, and leave nothing behind: in another such process, for what they
 * load once takes as long as what most of them do.
 */
const TIDY = ['benchmarks/', 'packages/errata/src/', 'packages/server/']
/**
 * But for these: they wait for processes and threads of their own, measure what a whole process takes, or have
 * limits of time that the garbage of other suites would count against.
 */
const ALONE = [
  'packages/errata/src/cli.test.ts',
  'packages/server/src/engine/jobs.test.ts',
  'packages/server/src/engine/threads/',
  'packages/server/src/store/duckdb/',
]
/** Outside a suite, they would run around the tests of every other file of the process. */
const HOOKS_OF_A_FILE = /^(?:before|after)Each\(/m
/**
 * Not part of `npm test`: they pack and install packages, upload and read back for long, look at every screen, wait for
 * what hangs, or kill and damage again and again.
 */
const LONG_ALONE = [
  'packages/server/src/queries/traces/captured.test.ts',
  'packages/server/src/scrub/slow.test.ts',
  'tests/compat/added-kind.test.ts',
  'tests/compat/alert-lanes.test.ts',
  'tests/compat/attachment-kills.test.ts',
  'tests/compat/backup.test.ts',
  'tests/compat/client.test.ts',
  'tests/compat/deploy.test.ts',
  'tests/compat/documented-calls.test.ts',
  'tests/compat/documented-machine.test.ts',
  'tests/compat/foreign-ids.test.ts',
  'tests/compat/hostile-forms.test.ts',
  'tests/compat/late-maps.test.ts',
  'tests/compat/packages.test.ts',
  'tests/compat/payload-caps.test.ts',
  'tests/compat/provider-session.test.ts',
  'tests/compat/restart.test.ts',
  'tests/compat/served-packages.test.ts',
  'tests/compat/slow-stores.test.ts',
  'tests/compat/stranger.test.ts',
  'tests/compat/upload-build.test.ts',
  'tests/compat/uploads.test.ts',
  'tests/e2e/connected-apps.test.ts',
  'tests/e2e/demo.test.ts',
  'tests/e2e/environments.test.ts',
  'tests/e2e/five-tasks.test.ts',
  'tests/e2e/handbook.test.ts',
  'tests/e2e/issue-list.test.ts',
  'tests/e2e/long-names.test.ts',
  'tests/e2e/open-states.test.ts',
  'tests/e2e/own-traces.test.ts',
  'tests/e2e/prefix.test.ts',
  'tests/e2e/screens.test.ts',
  'tests/e2e/second-factor.test.ts',
  'tests/e2e/stacks.test.ts',
  'tests/e2e/trackers.test.ts',
  'tests/e2e/wide-pages.test.ts',
  'tests/faults/accept-threads.test.ts',
  'tests/faults/damage.test.ts',
  'tests/faults/kills.test.ts',
  'tests/faults/limits.test.ts',
  'tests/faults/process-threads.test.ts',
  'tests/sdk/alerts.test.ts',
]
/** Suites of `npm run test:long`: these read `ERRATA_TEST_LONG`, and are shorter without it. */
const LONG = [
  ...LONG_ALONE,
  'tests/compat/access.test.ts',
  'tests/faults/seeds-even.test.ts',
  'tests/faults/seeds-odd.test.ts',
  'packages/server/src/normalize/normalize.property.test.ts',
  'packages/server/src/process/hostile.test.ts',
  'packages/server/src/queries/search/parse.test.ts',
  'packages/server/src/scrub/scrub.property.test.ts',
]
/** Folder of `npm run test:apps`: apps that are installed, built and uploaded by their own tools. */
const APPS = 'tests/apps/'
const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
const RUNNER = [
  ...FLAGS,
  ...['--import', './tests/support/property-seed.mjs', '--import', './tests/support/left-open.mjs'],
  ...['--test', '--test-concurrency=2', '--test-force-exit'],
]
const WITHIN = '--test-timeout=300000'
/**
 * Cache of what each process of a test would strip of types and compile anew: a file in it for every source,
 * valid while its text is the same.
 */
const COMPILED = join(ROOT, '.cache/compiled')
/**
 * Folder in memory for suites that share a process: one after the other, they would wait for each sync and
 * deletion of a disk, which nothing in them depends on.
 */
const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4_000_000_000
/** A first run installs some gigabyte. */
const APPS_WITHIN = '--test-timeout=1500000'
/**
 * Folder of the tests that failed in each step. They are listed once more at the end, which is the first
 * place a reader of a log looks.
 */
const FAILED = mkdtempSync(join(tmpdir(), 'errata-failed-'))
process.on('exit', sayFailed)
const node = ensureNode24()
ensureInstalled(node, { dev: true })
process.chdir(ROOT)

const [kind, files] = chosen(process.argv.slice(2))
if (files.length === 0 && kind === '') stopAt(await step([...FLAGS, 'scripts/check.ts']))
const stamp = join(ROOT, 'packages/errata/dist/.source-hash')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash())
  stopAt(await step([...FLAGS, 'scripts/build.ts']))
stopAt(await suites())

async function suites() {
  const some = (those) => (files.length > 0 ? files : those)
  if (kind === '--long') return tests([WITHIN, ...some(LONG)], { ERRATA_TEST_LONG: '1' })
  const isApp = (file) => file.startsWith(APPS)
  if (kind === '--apps') return tests([APPS_WITHIN, ...some(testFiles().filter(isApp))])
  if (files.length > 0) return tests([files.some(isApp) ? APPS_WITHIN : WITHIN, ...files])
  const all = testFiles().filter((file) => !LONG_ALONE.includes(file) && !isApp(file))
  // One process leaves a core idle: these run beside the others, and print what they have to say at their end.
  const [shared, alone] = await Promise.all([
    inOneProcess([all.filter(isPure), all.filter(isTidy)]),
    tests([WITHIN, ...all.filter((file) => !isPure(file) && !isTidy(file))]),
  ])
  return shared === 0 ? alone : shared
}

/** Each group in a process, one after the other: what the first one took is given back by then. */
async function inOneProcess(groups) {
  const TMPDIR = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'errata-suites-'))
  let failed = 0
  for (const group of groups) {
    const status = await tests([WITHIN, '--test-isolation=none', ...group], { TMPDIR }, { atEnd: true })
    if (status !== 0) failed = status
  }
  rmSync(TMPDIR, { recursive: true, force: true })
  return failed
}

function hasRoom(path) {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= MEMORY_BYTES_MIN
}

function isPure(file) {
  return PURE.some((folder) => file.startsWith(folder))
}

function isTidy(file) {
  const isUnder = (path) => file.startsWith(path)
  if (isPure(file) || !TIDY.some(isUnder) || ALONE.some(isUnder)) return false
  return !HOOKS_OF_A_FILE.test(readFileSync(file, 'utf8'))
}

function chosen(args) {
  const kinds = ['--long', '--apps']
  return [args.find((arg) => kinds.includes(arg)) ?? '', args.filter((arg) => !kinds.includes(arg))]
}

function testFiles() {
  const packages = readdirSync('packages').flatMap((name) =>
    ['src', 'testing'].map((part) => `packages/${name}/${part}`),
  )
  return [...packages, 'tests', 'benchmarks']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path}`))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/node_modules/'))
    .sort()
}

function tests(args, env, options) {
  const failed = join(FAILED, String(readdirSync(FAILED).length))
  writeFileSync(failed, '')
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./tests/support/failed-tests.mjs', `--test-reporter-destination=${failed}`],
    ...['--test-reporter=./tests/support/hung-modules.mjs', '--test-reporter-destination=stderr'],
  ]
  return step([...RUNNER, ...reporters, ...args], env, options)
}

function sayFailed() {
  const all = readdirSync(FAILED).map((name) => readFileSync(join(FAILED, name), 'utf8'))
  rmSync(FAILED, { recursive: true, force: true })
  if (all.some((text) => text !== '')) console.log(`\nFailed:\n${all.join('').trimEnd()}`)
}

function step(args, env = {}, options = {}) {
  return runToEnd(node, args, { UV_THREADPOOL_SIZE: '16', NODE_COMPILE_CACHE: COMPILED, ...env }, options)
}

function stopAt(status) {
  if (status !== 0) process.exit(status)
}
