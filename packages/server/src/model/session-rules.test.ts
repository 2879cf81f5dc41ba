import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { devicesBeyond, isNewDevice, sessionsBeyond } from './session-rules.ts'

describe('sessions of a person', () => {
  const most = max('sessionsPerUserMax')
  const sessions = (count: number) => Array.from({ length: count }, (_, id) => ({ id, seenMs: 100 + id }))

  it('end where there are too many: those that were used longest ago', () => {
    assert.deepEqual(sessionsBeyond(sessions(most - 1)), [])
    assert.deepEqual(sessionsBeyond(sessions(most)), [])
    assert.deepEqual(sessionsBeyond(sessions(most + 1)), [{ id: 0, seenMs: 100 }])
    assert.deepEqual(sessionsBeyond(sessions(most + 1).toReversed()), [{ id: 0, seenMs: 100 }])
  })

  it('end by their age where they were used at the same time', () => {
    const same = sessions(most + 1).map(({ id }) => ({ id, seenMs: 7 }))
    for (const each of [same, same.toReversed()])
      assert.deepEqual(sessionsBeyond(each), [{ id: 0, seenMs: 7 }])
  })
})

describe('devices of a person', () => {
  const most = max('devicesPerPersonMax')

  it('are forgotten where there are too many, the one that was seen longest ago first', () => {
    const devices = Array.from({ length: most + 1 }, (_, nth) => ({ name: `d${nth}`, seenMs: 100 - nth }))
    const last = { name: `d${most}`, seenMs: 100 - most }
    assert.deepEqual(devicesBeyond(devices.slice(0, most)), [])
    for (const each of [devices, devices.toReversed()]) assert.deepEqual(devicesBeyond(each), [last])
  })

  it('are new where others are known and this one is not', () => {
    assert.equal(isNewDevice([], 'a'), false)
    assert.equal(isNewDevice([{ name: 'a' }], 'a'), false)
    assert.equal(isNewDevice([{ name: 'b' }, { name: 'a' }], 'a'), false)
    assert.equal(isNewDevice([{ name: 'b' }], 'a'), true)
  })
})
