/** The runner of `npm test`, and tests that cannot end by themselves. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const WATCH = fileURLToPath(new URL('../support/hung-modules.mjs', import.meta.url))
/** Far longer than a module of a line loads on a machine that does much else. */
const LOADS_MS = 12_000

it('stops a module that hangs at its top level, names it, and runs the others', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-runner-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const waits = `setInterval(() => {}, 1_000); await new Promise(() => {})`
  const passes = file('passes.test.mjs', `import { it } from 'node:test'; it('passes', () => {})`)
  const files = [
    file('hangs.test.mjs', waits),
    file('prints.test.mjs', `console.log('it prints: é €'); ${waits}`),
    file('spins.test.mjs', 'for (;;) {}'),
    passes,
    // Longer than a module may take, in a test: that has a limit of its own.
    file(
      'takes-long.test.mjs',
      `import { it } from 'node:test'
      it('is told of', () => {})
      it('takes long', () => new Promise((resolve) => setTimeout(resolve, ${LOADS_MS + 3_000})))`,
    ),
  ]
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const reporters = ['spec', WATCH].map((name) => `--test-reporter=${name}`)
  const to = ['stdout', 'stderr'].map((name) => `--test-reporter-destination=${name}`)
  // What all of them load is read from the disk once before time counts.
  spawnSync(process.execPath, [passes], { cwd: directory, env, timeout: 60_000, killSignal: 'SIGKILL' })
  const together = `--test-concurrency=${files.length}`
  const run = spawnSync(process.execPath, ['--test', together, ...reporters, ...to, ...files], {
    ...{ cwd: directory, encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' },
    env: { ...env, ERRATA_TEST_LOADS_MS: String(LOADS_MS) },
  })
  assert.equal(run.status, 1)
  const stopped = run.stderr.split('\n').filter((line) => line.includes('began no test within 12 s'))
  assert.deepEqual(stopped.map((line) => line.split(':')[0]).sort(), [
    'hangs.test.mjs',
    'prints.test.mjs',
    'spins.test.mjs',
  ])
  assert.match(run.stdout, /✔ passes/)
  assert.match(run.stdout, /✔ takes long/)
  assert.match(run.stdout, /fail 3\b/)
})
