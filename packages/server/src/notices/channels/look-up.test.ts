import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { Resolve } from './checked-addresses.ts'
import { createLookUp } from './look-up.ts'

const FOUND = [{ address: '192.0.2.1', family: 4 }]

describe('looking host names up', () => {
  it('lets names whose servers are silent hold few threads, each once, and no other name', async () => {
    const held = Promise.withResolvers<typeof FOUND>()
    const asked: string[] = []
    const system: Resolve = (host) => {
      asked.push(host)
      return host.startsWith('silent') ? held.promise : Promise.resolve(FOUND)
    }
    const lookUp = createLookUp(system, async () => [{ address: '192.0.2.2', family: 4 }])
    const names = Array.from({ length: max('lookUpsAtOnceMax') }, (_, index) => `silent-${index}.example`)
    const hanging = [...names, ...names].map(lookUp)
    assert.deepEqual(asked, names)
    assert.deepEqual(await lookUp('fine.example'), [{ address: '192.0.2.2', family: 4 }])
    held.resolve(FOUND)
    await Promise.all(hanging)
    assert.deepEqual(await lookUp('fine.example'), FOUND)
  })
})
