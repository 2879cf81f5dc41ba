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

  it('leaves patterns alone that have looked before', () => {
    const program = `import { compileSmall } from '${ENTRY}'
      const patterns = Array.from({ length: 100 }, (_, at) => new RegExp('x' + at + '(?:a|b)+c(d*)', 'i'))
      const found = () => patterns.filter((pattern) => pattern.exec('there is x17abacdd and more') !== null).length
      found()
      compileSmall()
      let sum = 0
      for (let time = 0; time < 50; time++) sum += found()
      console.log(sum)`
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    assert.deepEqual([signal, stdout], [null, '50\n'])
  })
})
