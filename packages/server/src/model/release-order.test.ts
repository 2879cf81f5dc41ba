import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compareReleases,
  latestRelease,
  parseRelease,
  releaseBefore,
  shortRelease,
  type TimedRelease,
} from './release-order.ts'

const at = (version: string, atMs = 0) => ({ version, atMs })

describe('the order of releases', () => {
  const earlier: readonly (readonly [string, string])[] = [
    ['web@1.9.0', 'web@1.10.0'],
    ['web@1.4.0-rc.1', 'web@1.4.0'],
    ['web@1.4.0-rc.2', 'web@1.4.0-rc.10'],
    ['web@1.4.0-1', 'web@1.4.0-alpha'],
    ['web@1.4.0-alpha', 'web@1.4.0-alpha.1'],
    ['web@1.4.0+9', 'web@1.4.0+10'],
    ['1.2', '1.2.1'],
    ['v2.0.0.1', 'v2.0.0.2'],
    ['@shop/web@1.0.0', '@shop/web@2.0.0'],
  ]
  for (const [a, b] of earlier) {
    it(`has ${a} before ${b}, whenever they were made`, () => {
      assert.ok(compareReleases(at(a, 9), at(b, 1)) < 0)
      assert.ok(compareReleases(at(b, 1), at(a, 9)) > 0)
    })
  }

  const byTime: readonly (readonly [string, string])[] = [
    ['web@1.0.0', 'api@0.1.0'],
    ['6f1ed002ab5595859014ebf0951522d9', '0b9c2625dc21ef05f6ad4ddf47c5f203'],
    ['web@20261122', 'web@20251122'],
    ['web@1.0.0+6f1ed002', 'web@1.0.0+0b9c2625'],
    ['web@latest', 'web@1.0.0'],
  ]
  for (const [a, b] of byTime) {
    it(`goes by time between ${a} and ${b}`, () => {
      assert.ok(compareReleases(at(a, 1), at(b, 2)) < 0)
      assert.ok(compareReleases(at(a, 2), at(b, 1)) > 0)
    })
  }

  it('takes the latest of the package that was released last', () => {
    const releases = [at('web@2.0.0', 1), at('api@9.0.0', 2), at('web@1.9.9', 3), at('web@latest', 0)]
    assert.equal(latestRelease(releases)?.version, 'web@2.0.0')
    assert.equal(latestRelease([at('abc', 2), at('web@1.0.0', 1)])?.version, 'abc')
    assert.equal(latestRelease([]), null)
  })

  it('ignores what was archived, and what lies absurdly far ahead and nobody deployed', () => {
    const one = (version: string, atMs: number, rest: Partial<TimedRelease> = {}) => ({
      ...{ version, atMs, isArchived: false, isDeployed: false },
      ...rest,
    })
    const known = [one('k@1.0.0', 1), one('k@1.1.0', 2)]
    for (const [release, expected] of [
      [one('k@2.0.0', 3, { isArchived: true }), 'k@1.1.0'],
      [one('k@2.0.0', 3), 'k@2.0.0'],
      [one('k@999.9.9', 3), 'k@1.1.0'],
      [one('k@101.0.0', 3), 'k@1.1.0'],
      [one('k@100.0.0', 3), 'k@100.0.0'],
      [one('k@999.9.9', 3, { isDeployed: true }), 'k@999.9.9'],
      [one('k@2026.11.0', 3), 'k@2026.11.0'],
      [one('other@999.0.0', 3), 'other@999.0.0'],
    ] as const)
      assert.equal(latestRelease([...known, release])?.version, expected, release.version)
    assert.equal(latestRelease([one('k@999.9.9', 1)])?.version, 'k@999.9.9', 'the only one')
    assert.equal(
      latestRelease([at('k@1.0.0', 1), at('k@999.9.9', 2)])?.version,
      'k@999.9.9',
      'where nobody asked',
    )
  })

  it('finds the release before within the package, or by time', () => {
    const releases = [at('web@2.0.0', 1), at('web@1.9.9', 3), at('api@1.0.0', 2), at('abc', 4), at('def', 5)]
    assert.equal(releaseBefore(releases, at('web@2.0.0', 1))?.version, 'web@1.9.9')
    assert.equal(releaseBefore(releases, at('web@1.9.9', 3)), null)
    assert.equal(releaseBefore(releases, at('def', 5))?.version, 'abc')
    assert.equal(releaseBefore(releases, at('api@1.0.0', 2)), null)
  })
})

describe('the name of a release', () => {
  it('is read as package, version and build', () => {
    const { package: name, version, build } = parseRelease('@shop/web@1.4.0-rc.1+1287')
    assert.deepEqual([name, version, build], ['@shop/web', '1.4.0-rc.1', '1287'])
    assert.deepEqual(parseRelease('my release / 3').package, null)
  })

  const short: readonly (readonly [string, string])[] = [
    ['web@1.4.0', '1.4.0'],
    ['web@1.4.0+1287', '1.4.0 (1287)'],
    ['6f1ed002ab5595859014ebf0951522d9d3a8f1a2', '6f1ed002ab55'],
    ['nightly', 'nightly'],
    ['web@', 'web@'],
  ]
  for (const [name, shown] of short) {
    it(`is shown short: ${name}`, () => assert.equal(shortRelease(name), shown))
  }
})
