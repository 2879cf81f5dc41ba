import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'

const ENTRY = new URL('./compile-budget.ts', import.meta.url).href

describe('what V8 takes into a function it optimises', () => {
  it('is bounded by flags that this V8 knows', () => {
    const program = `import { compileSmall } from '${ENTRY}'; compileSmall(); console.log('done')`
    const done = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    // V8 says on the standard error that it does not know a flag, and goes on.
    assert.deepEqual([done.stderr, done.stdout], ['', 'done\n'])
  })
})
