import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { checkedDomain } from './domain-check.ts'

const NOW = 1_800_000_000_000
const [day, week] = [max('domainMissingMs'), max('domainGraceMs')]
const missing = { isFound: false, nowMs: NOW }

describe('a proved email domain whose record is missing', () => {
  it('is missing from the first look on', () => {
    assert.deepEqual(checkedDomain({ missingMs: null, toldMs: null }, missing), {
      ...{ becomes: 'missing', change: { missingMs: NOW } },
    })
  })

  it('is told of once a day is over', () => {
    for (const [since, becomes, change] of [
      [day - 1, 'missing', null],
      [day, 'told', { toldMs: NOW }],
      [day + 1, 'told', { toldMs: NOW }],
    ] as const)
      assert.deepEqual(checkedDomain({ missingMs: NOW - since, toldMs: null }, missing), { becomes, change })
  })

  it('is lost once a week is over since its owners were told', () => {
    const gone = { provedMs: null, missingMs: null, toldMs: null }
    for (const [since, becomes, change] of [
      [week - 1, 'missing', null],
      [week, 'lost', gone],
      [week + 1, 'lost', gone],
    ] as const)
      assert.deepEqual(checkedDomain({ missingMs: NOW - since - day, toldMs: NOW - since }, missing), {
        ...{ becomes, change },
      })
  })

  it('counts on as if nothing had been where its record is back', () => {
    const found = { isFound: true, nowMs: NOW }
    assert.deepEqual(checkedDomain({ missingMs: null, toldMs: null }, found), {
      ...{ becomes: 'found', change: null },
    })
    assert.deepEqual(checkedDomain({ missingMs: NOW - week, toldMs: NOW - 1 }, found), {
      ...{ becomes: 'found', change: { missingMs: null, toldMs: null } },
    })
  })
})
