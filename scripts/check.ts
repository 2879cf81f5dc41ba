/** `npm run check`: formatter, linter, types and what nobody uses, over everything; ends with a failure at the first complaint. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './node24.mjs'

const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
const STEPS = [
  [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
  // The client's types are made of the routes, so that they are checked by building it.
  ['--conditions=errata-source', join(ROOT, 'scripts/build.ts'), 'client'],
  [tsc, '-p', 'tsconfig.json'],
  [tsc, '-p', 'packages/web/tsconfig.json'],
  [tsc, '-p', 'tests/tsconfig.json'],
  [tsc, '-p', 'benchmarks/tsconfig.json'],
  // A hint that style sheets are no modules cannot be answered.
  [
    join(ROOT, 'node_modules/knip/bin/knip.js'),
    '-c',
    'scripts/knip.jsonc',
    '--no-progress',
    '--no-config-hints',
  ],
] as const

for (const step of STEPS) {
  const done = spawnSync(process.execPath, [...step], { cwd: ROOT, stdio: 'inherit' })
  if (done.status !== 0) process.exit(done.status ?? 1)
}
