import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { whyNot } from './limits.ts'

const row = (measure: string, met: boolean | null) => ({ measure, result: '1', goal: '2', met })

describe('what is said of goals that are not met', () => {
  it('is nothing where all are', () => {
    assert.deepEqual(whyNot([row('5 KB, few stacks: drained', true), row('memory', null)]), [])
  })

  it('names each cause once, with the measures it holds back', () => {
    const lines = whyNot([
      row('5 KB, few stacks: drained', false),
      row('5 KB, few stacks: bytes kept ÷ gzip-6, after compaction', false),
      row('18 KB, few stacks: ÷ CPU of the bare sink (59 µs)', false),
      row('5 KB, all different: bytes kept ÷ gzip-6, after compaction', false),
    ])
    assert.equal(lines.length, 3)
    assert.match(lines[0] ?? '', /few stacks: drained; 18 KB, few stacks: ÷ CPU.*spread thinly/)
    assert.match(lines[2] ?? '', /all different.*control store/)
  })

  it('does not make up a cause', () => {
    assert.match(
      whyNot([row('SIGKILL under load: acknowledged − found', false)])[0] ?? '',
      /no limit is known/,
    )
  })
})
