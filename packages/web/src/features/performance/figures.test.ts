import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAddress } from '#parts/address.ts'
import { ratingOf } from '#parts/vital-figures.ts'
import { placeOn, ticksBetween } from '#ui/charts/scales.ts'
import { examplesPath } from './example-links.ts'
import { changeOf, isFailing, isSlower, ratioText, requestRateText } from './figures.ts'
import { PERFORMANCE, performanceQuery } from './performance-address.ts'

const ALARMS = { failingShare: 0.02, slowMs: 3_000 }
const FILTER = { project: null, environment: null, release: null, range: '24h', chosen: null } as const

describe('figures', () => {
  test('a rate turns red at its share, and not for one request of few', () => {
    assert.equal(isFailing(2, 100, ALARMS), true)
    assert.equal(isFailing(1, 100, ALARMS), false)
    assert.equal(isFailing(1, 3, ALARMS), false)
  })

  test('a change is said in percent, beyond the double as a factor', () => {
    assert.deepEqual(
      [
        changeOf(108, 100),
        changeOf(96, 100),
        changeOf(100.1, 100),
        changeOf(320, 100),
        changeOf(1, null),
      ].map(ratioText),
      ['+8 %', '−4 %', '±0 %', '× 3.2', '–'],
    )
    assert.equal(changeOf(5, 0), null)
  })

  test('slower is what people feel', () => {
    assert.equal(isSlower(200, 150), true)
    assert.equal(isSlower(6, 3), false)
    assert.equal(isSlower(1_050, 1_000), false)
    assert.equal(isSlower(200, null), false)
  })

  test('a vital is rated by the public thresholds, both ends included', () => {
    const lcp = [2_500, 4_000] as const
    assert.deepEqual(
      [2_500, 2_501, 4_000, 4_001].map((value) => ratingOf(value, lcp)),
      ['good', 'needs improvement', 'needs improvement', 'poor'],
    )
  })

  test('rates have as many digits as tell something', () => {
    const day = 86_400_000
    assert.deepEqual(
      [0, 3, 1_000, 25_172, 397_886].map((count) => requestRateText(count, day)),
      ['0', '< 0.01', '0.69', '17.5', '276'],
    )
  })
})

describe('scales', () => {
  test('a decade is as long as the next one, and what lies outside stays at the end', () => {
    assert.deepEqual(
      [1, 10, 100, 1_000, 10_000, 60_000].map((ms) => Math.round(placeOn(ms, 10, 10_000) * 300)),
      [0, 0, 100, 200, 300, 300],
    )
  })

  test('ticks are round, inside, and no more than fit', () => {
    assert.deepEqual(ticksBetween(20, 1_000, 9), [20, 50, 100, 200, 500, 1_000])
    // A clock has no round value at 100 s.
    assert.deepEqual(ticksBetween(1, 100_000, 9), [1, 10, 100, 1_000, 10_000, 60_000])
    assert.deepEqual(ticksBetween(3.1, 3.9, 9), [3.2, 3.4, 3.6, 3.8])
    for (let from = 0.2; from < 10_000; from *= 1.7)
      for (let to = from * 1.2; to < 100_000; to *= 1.9) {
        const ticks = ticksBetween(from, to, 9)
        assert.ok(ticks.length >= 3 && ticks.length <= 9, `${from} to ${to}: ${ticks.join()}`)
        assert.ok(ticks.every((ms) => ms >= from && ms <= to))
      }
  })
})

test('a count of actions without a name leads to those that the named ones leave', () => {
  const of = { route: '/cart', kind: 'action', action: '' } as const
  assert.equal(
    new URLSearchParams(
      examplesPath('shop', FILTER, { ...of, named: ['pay', 'go (a.ts)'] })?.split('?')[1],
    ).get('query'),
    'route:/cart kind:action has:action !action:pay !action:"go (a.ts)"',
  )
  assert.equal(examplesPath('shop', FILTER, { ...of, named: ['x'.repeat(600)] }), null)
})

describe('addresses', () => {
  test('are read and written alike, and what is usual is left out', () => {
    const text =
      'project=web&environment=production&release=web%401.0&range=7d&kind=action&sort=p95&order=asc&page=2'
    const address = readAddress(PERFORMANCE, new URLSearchParams(text))
    const { page, ...rest } = performanceQuery(address, { page: address.page })
    assert.equal(page, 2)
    assert.deepEqual(rest, {
      ...{ project: 'web', environment: 'production', release: 'web@1.0', range: '7d' },
      ...{ kind: 'action', text: null, sort: 'p95', order: 'asc', from: null, to: null },
    })
    const none = performanceQuery(
      readAddress(PERFORMANCE, new URLSearchParams('range=1h&kind=purple&sort=x&page=0')),
    )
    assert.deepEqual(
      Object.values(none).filter((value) => value !== null && value !== ''),
      [],
    )
  })

  test('another project forgets environment and release, and begins at the first page', () => {
    const address = readAddress(PERFORMANCE, new URLSearchParams('environment=a&release=b&page=3'))
    const { project, environment, release, page } = performanceQuery(address, { project: 'web' })
    assert.deepEqual([project, environment, release, page], ['web', null, null, null])
  })

  test('every number leads to a search that finds what it counts', () => {
    const query = (
      of: Parameters<typeof examplesPath>[2],
      filter: Parameters<typeof examplesPath>[1] = FILTER,
    ) => new URL(examplesPath('acme', filter, of) ?? '', 'http://errata.test').searchParams.get('query')
    assert.equal(
      query({ route: '/a b', kind: 'action', status: 'failed', project: 'web' }),
      'route:"/a b" kind:action status:failed',
    )
    assert.equal(
      query({ route: '/a', kind: 'document', fromMs: 99.5, toMs: 158.200_4 }),
      'route:/a kind:document duration:>99.5ms duration:<=158.2ms !status:aborted',
    )
    assert.equal(
      query({ route: '/a', kind: 'document', fromMs: 99.5 }),
      'route:/a kind:document duration:>=99ms',
    )
    assert.equal(
      query({ route: '/a', kind: 'action', releases: ['web@1', 'web 2'] }),
      'route:/a kind:action release:[web@1, "web 2"]',
    )
    assert.equal(
      query({ route: '/a', kind: null, repeats: true }),
      'route:/a !kind:prefetch !kind:browser is:n+1',
    )
    assert.equal(
      query(
        { route: 'cron job', kind: 'other' },
        { ...FILTER, environment: 'production', release: 'web@1.0' },
      ),
      '"cron job" kind:other environment:production release:web@1.0',
    )
    assert.equal(examplesPath('acme', FILTER, { route: '(other routes)', kind: null }), null)
  })
})
