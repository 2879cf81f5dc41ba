import assert from 'node:assert/strict'
import { it } from 'node:test'
import { distinctVersion, packageOf, releaseAgeText, releaseBeginning, versionOf } from './release-text.ts'

const SHA = 'c41f9e2000000000000000000000000000000001'

for (const [release, version, name] of [
  ['shop@2026.11.20-2', '2026.11.20-2', 'shop'],
  ['@acme/shop@1.4.0', '1.4.0', '@acme/shop'],
  ['shop@1.4.0+1287', '1.4.0 (1287)', 'shop'],
  [`shop@1.4.0+${SHA}`, '1.4.0', 'shop'],
  [`shop@${SHA}`, SHA.slice(0, 12), 'shop'],
  [SHA, SHA.slice(0, 12), ''],
  ['feature/x', 'feature/x', ''],
  ['shop@', 'shop@', 'shop'],
  ['w'.repeat(200), 'w'.repeat(24), ''],
] as const) {
  it(`shows ${release.slice(0, 60)} short`, () =>
    assert.deepEqual([versionOf(release), packageOf(release)], [version, name]))
}

it('says what the time of a release is', () => {
  const of = (releasedMs: number | null, firstEventMs: number | null) =>
    releaseBeginning({ releasedMs, ofAll: { firstEventMs } })
  assert.deepEqual([of(1, 1), of(null, 1), of(null, null)], ['released', 'first seen', 'created'])
})

it('tells young ages by the hour', () => {
  const HOUR = 3_600_000
  assert.deepEqual(
    [releaseAgeText(HOUR), releaseAgeText(33 * HOUR), releaseAgeText(80 * HOUR)],
    ['1 h', '33 h', '3 d'],
  )
})

it('tells releases of one version apart by their packages, and no others', () => {
  const releases = ['shop@1.4.0', 'mail@1.4.0', 'mail@1.5.0', '1.4.0']
  assert.deepEqual(
    releases.map((release) => distinctVersion(release, releases)),
    ['1.4.0 shop', '1.4.0 mail', '1.5.0', '1.4.0'],
  )
  assert.equal(distinctVersion('shop@1.4.0', ['shop@1.4.0']), '1.4.0')
})
