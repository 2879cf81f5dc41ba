// `npm test`: installs what tests need, checks, builds, and runs every suite with Node's own runner.
// `npm test -- path …` runs those files alone.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, ensureNode24, ROOT, runToEnd } from './node24.mjs'
import { sourceHash } from './source-hash.mjs'

const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
const node = ensureNode24()
ensureInstalled(node, { dev: true })
process.chdir(ROOT)

const files = process.argv.slice(2)
if (files.length === 0) await step([...FLAGS, 'scripts/check.ts'])
const stamp = join(ROOT, 'packages/errata/dist/.source-hash')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash())
  await step([...FLAGS, 'scripts/build.ts'])
const chosen =
  files.length > 0
    ? files
    : ['packages/*/{src,testing}/**/*.test.ts', 'tests/**/*.test.ts', 'benchmarks/**/*.test.ts']
const seeded = ['--import', './tests/support/property-seed.mjs']
await step([...FLAGS, ...seeded, '--test', '--test-concurrency=2', '--test-timeout=300000', ...chosen])

async function step(args) {
  const status = await runToEnd(node, args, { UV_THREADPOOL_SIZE: '16' })
  if (status !== 0) process.exit(status)
}
