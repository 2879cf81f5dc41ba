// `npm start`: installs and builds what is missing or stale, then runs `errata serve` with what follows `--`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../packages/errata/bin/node-flags.mjs'
import { ensureInstalled, ensureNode24, ROOT, runToEnd } from './node24.mjs'
import { sourceHash } from './source-hash.mjs'

const node = ensureNode24()
const stamp = join(ROOT, 'packages/errata/dist/.source-hash')
const isBuilt = existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()
if (!isBuilt) {
  ensureInstalled(node, { dev: false })
  console.error('Building.')
  const status = await runToEnd(node, [
    '--conditions=errata-source',
    '--disable-warning=ExperimentalWarning',
    join(ROOT, 'scripts/build.ts'),
  ])
  if (status !== 0) process.exit(status)
}
process.exitCode = await runToEnd(
  node,
  [...NODE_FLAGS, join(ROOT, 'packages/errata/dist/cli.js'), 'serve', ...process.argv.slice(2)],
  { ...NODE_ENVIRONMENT, ...process.env },
)
