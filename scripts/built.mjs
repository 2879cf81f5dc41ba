// Plain JavaScript that Node 20 runs: what `npm start` and `npm run shop` need before they can run anything.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, ROOT, runToEnd } from './node24.mjs'
import { sourceHash } from './source-hash.mjs'

/** Installs and builds Errata and the relay unless the build is that of these sources. Ends the process when it fails. */
export async function ensureBuilt(node) {
  const stamp = join(ROOT, 'packages/errata/dist/.source-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceHash()) return
  ensureInstalled(node, { dev: false })
  console.error('Building.')
  const status = await runToEnd(node, [
    '--conditions=errata-source',
    '--disable-warning=ExperimentalWarning',
    join(ROOT, 'scripts/build.ts'),
  ])
  if (status !== 0) process.exit(status)
}
