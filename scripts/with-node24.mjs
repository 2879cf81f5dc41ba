// Runs a script of this folder, or any program file, under Node 24: `node scripts/with-node24.mjs scripts/build.ts`.
import { ensureNode24, runToEnd } from './node24.mjs'

const FLAGS = ['--conditions=errata-source', '--disable-warning=ExperimentalWarning']
process.exitCode = await runToEnd(ensureNode24(), [...FLAGS, ...process.argv.slice(2)])
