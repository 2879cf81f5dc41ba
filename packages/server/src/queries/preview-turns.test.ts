import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId } from '#base/ids.ts'
import { PreviewTurns } from './preview-turns.ts'

describe('previews', () => {
  it('of an organisation come one after the other, those of others beside them, whatever fails', async () => {
    const turns = new PreviewTurns()
    const [one, other] = [{ orgId: orgId(1) }, { orgId: orgId(2) }]
    const log: string[] = []
    const gate = Promise.withResolvers<void>()
    const first = turns.take(one, async () => {
      log.push('first begins')
      await gate.promise
      log.push('first ends')
      throw new Error('of the first')
    })
    const second = turns.take(one, async () => void log.push('second'))
    await turns.take(other, async () => void log.push('of another organisation'))
    gate.resolve()
    await assert.rejects(first, /of the first/)
    await second
    assert.deepEqual(log, ['first begins', 'of another organisation', 'first ends', 'second'])
  })
})
