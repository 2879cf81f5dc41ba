// `npm test`: installs what tests need, checks, builds, and runs every suite with Node's own runner.
// `npm test -- path …` runs those files alone. `npm run test:long` runs what takes long, at full length;
// `npm run test:apps` builds real apps, whose packages come from the registry.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
/** Not part of `npm test`: they pack and install packages, upload and read back for long, look at every screen, or kill again and again. */
const LONG_ALONE = [
  'tests/compat/client.test.ts',
  'tests/compat/deploy.test.ts',
  'tests/compat/late-maps.test.ts',
  'tests/compat/packages.test.ts',
  'tests/compat/upload-build.test.ts',
  'tests/compat/uploads.test.ts',
  'tests/e2e/screens.test.ts',
  'tests/faults/kills.test.ts',
  'tests/sdk/alerts.test.ts',
]
/** What `npm run test:long` runs: these read `ERRATA_TEST_LONG`, and are shorter without it. */
const LONG = [
  ...LONG_ALONE,
  'tests/faults/seeds-even.test.ts',
  'tests/faults/seeds-odd.test.ts',
  'packages/server/src/normalize/normalize.property.test.ts',
  'packages/server/src/process/hostile.test.ts',
  'packages/server/src/queries/search/parse.test.ts',
  'packages/server/src/scrub/scrub.property.test.ts',
]
/** What `npm run test:apps` runs: apps that are installed, built and uploaded by their own tools. */
const APPS = 'tests/apps/'
const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
const RUNNER = [
  ...FLAGS,
  ...['--import', './tests/support/property-seed.mjs'],
  ...['--test', '--test-concurrency=2'],
]
const WITHIN = '--test-timeout=300000'
/**
 * Of what each process of a test would strip of types and compile anew: a file in it for every source, valid while its
 * text is the same.
 */
const COMPILED = join(ROOT, '.cache/compiled')
/** A first run installs some gigabyte. */
const APPS_WITHIN = '--test-timeout=1500000'
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
  if (kind === '--long') return step([...RUNNER, WITHIN, ...some(LONG)], { ERRATA_TEST_LONG: '1' })
  const isApp = (file) => file.startsWith(APPS)
  if (kind === '--apps') return step([...RUNNER, APPS_WITHIN, ...some(testFiles().filter(isApp))])
  if (files.length > 0) return step([...RUNNER, files.some(isApp) ? APPS_WITHIN : WITHIN, ...files])
  const all = testFiles().filter((file) => !LONG_ALONE.includes(file) && !isApp(file))
  const isPure = (file) => PURE.some((folder) => file.startsWith(folder))
  // One process leaves a core idle: it runs beside the others, and prints what it has to say at its end.
  const [pure, others] = await Promise.all([
    step([...RUNNER, WITHIN, '--test-isolation=none', ...all.filter(isPure)], {}, { atEnd: true }),
    step([...RUNNER, WITHIN, ...all.filter((file) => !isPure(file))]),
  ])
  return pure === 0 ? others : pure
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

function step(args, env = {}, options = {}) {
  return runToEnd(node, args, { UV_THREADPOOL_SIZE: '16', NODE_COMPILE_CACHE: COMPILED, ...env }, options)
}

function stopAt(status) {
  if (status !== 0) process.exit(status)
}
