import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { projectId } from '#base/ids.ts'
import { aScope } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { createDetailValues } from './detail-values.ts'

const SCOPE = aScope(projectId(1), projectId(2))
const FEW = ['Chrome', 'chromium', 'Firefox'].map((value) => ({ value, count: 1 }))
const MANY = Array.from({ length: 500 }, (_, index) => ({ value: `v${index}`, count: 1 }))

describe('what events say of a key while it is typed', () => {
  let clock: ReturnType<typeof manualClock>
  let asked: string[]
  const valuesFrom = (values: typeof FEW, fail = () => false) =>
    createDetailValues({
      clock,
      telemetry: {
        files: async () => [],
        detailValues: async ({ projects }, _, { key, prefix, limit, isAnywhere = false }) => {
          asked.push(`${projects.join('+')} ${key}:${isAnywhere ? '*' : ''}${prefix}`)
          if (fail()) throw new Error('the store is gone')
          const fits = (value: string) => (isAnywhere ? value.includes(prefix) : value.startsWith(prefix))
          return values.filter(({ value }) => fits(value)).slice(0, limit)
        },
      },
    })
  beforeEach(() => {
    clock = manualClock(NOW)
    asked = []
  })

  it('is read once a minute for a scope and a key', async () => {
    const values = valuesFrom(FEW)
    const names = async (prefix: string, scope = SCOPE) =>
      (await values(scope, { key: 'browser.name', prefix })).map(({ value }) => value)
    assert.deepEqual(await names('c'), ['Chrome', 'chromium'])
    assert.deepEqual(await names('chromi'), ['chromium'])
    assert.deepEqual(asked, ['1+2 browser.name:'])
    await names('c', aScope(projectId(2)))
    assert.equal(asked.length, 2)
    clock.advance(60_000)
    await names('c')
    assert.equal(asked.length, 3)
  })

  it('is read for what was typed where a key has too many values to keep', async () => {
    const values = valuesFrom(MANY)
    assert.equal((await values(SCOPE, { key: 'device.name', prefix: 'v49' })).length, 11)
    assert.equal((await values(SCOPE, { key: 'device.name', prefix: 'v49' })).length, 11)
    assert.deepEqual(asked, ['1+2 device.name:', '1+2 device.name:v49'])
  })

  it('is found by a part of it where that is asked for', async () => {
    const anywhere = async (values: typeof FEW, prefix: string) =>
      (await valuesFrom(values)(SCOPE, { key: 'stack.filename', prefix, isAnywhere: true })).map(
        ({ value }) => value,
      )
    assert.deepEqual(await anywhere(FEW, 'ROM'), ['Chrome', 'chromium'])
    assert.deepEqual(await anywhere(FEW, 'fox'), ['Firefox'])
    assert.deepEqual(await anywhere(MANY, '499'), ['v499'])
    assert.equal(asked.at(-1), '1+2 stack.filename:*499')
  })

  it('is bounded: the oldest answer goes', async () => {
    const values = valuesFrom(FEW)
    for (let index = 0; index <= 50; index++) await values(SCOPE, { key: `k${index}`, prefix: '' })
    await values(SCOPE, { key: 'k1', prefix: '' })
    assert.equal(asked.length, 51)
    await values(SCOPE, { key: 'k0', prefix: '' })
    assert.equal(asked.length, 52)
  })

  it('keeps no failure', async () => {
    let isGone = true
    const values = valuesFrom(FEW, () => isGone)
    await assert.rejects(values(SCOPE, { key: 'os.name', prefix: '' }))
    isGone = false
    assert.equal((await values(SCOPE, { key: 'os.name', prefix: '' })).length, 3)
  })
})
