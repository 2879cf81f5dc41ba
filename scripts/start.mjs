// `npm start`: installs and builds what is missing or stale, then runs `errata serve` with what follows `--`.
import { join } from 'node:path'
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../packages/errata/bin/node-flags.mjs'
import { ensureBuilt } from './built.mjs'
import { ensureNode24, ROOT, runToEnd } from './node24.mjs'

const node = ensureNode24()
await ensureBuilt(node)
process.exitCode = await runToEnd(
  node,
  [...NODE_FLAGS, join(ROOT, 'packages/errata/dist/cli.js'), 'serve', ...process.argv.slice(2)],
  { ...NODE_ENVIRONMENT, ...process.env },
)
