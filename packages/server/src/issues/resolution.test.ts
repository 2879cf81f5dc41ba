import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ResolvedIn } from '#ports/issues.ts'
import { bringsBack, resolutionOf, withRelease } from './resolution.ts'

const times: Readonly<Record<string, number>> = { abc: 10, def: 20, fed: 30 }
const back = (resolvedIn: ResolvedIn | null, release: string | null) =>
  bringsBack(resolvedIn, { release, receivedMs: 1_000 }, new Map(Object.entries(times)))

describe('an event of a release, and an issue resolved', () => {
  const inRelease = (release: string, atMs = 0): ResolvedIn => ({ how: 'release', release, atMs })
  const inNext = (release: string, atMs = 0): ResolvedIn => ({ how: 'next', release, atMs })
  const cases: readonly (readonly [string, ResolvedIn | null, string | null, boolean])[] = [
    ['now', null, 'web@0.1.0', true],
    ['in this release: that one', inRelease('web@1.2.0'), 'web@1.2.0', true],
    ['in this release: a later one', inRelease('web@1.2.0'), 'web@1.10.0', true],
    ['in this release: an older client', inRelease('web@1.2.0'), 'web@1.1.9', false],
    ['in this release: no release at all', inRelease('web@1.2.0'), null, true],
    ['in the next one: the one before', inNext('web@1.2.0'), 'web@1.2.0', false],
    ['in the next one: the next', inNext('web@1.2.0'), 'web@1.2.1', true],
    ['in this release, by time: older', inRelease('def', 20), 'abc', false],
    ['in this release, by time: newer', inRelease('def', 20), 'fed', true],
    ['in this release, by time: itself', inRelease('def', 20), 'def', true],
    ['in this release, by time: never heard of', inRelease('def', 20), 'new', true],
    ['in a commit that nobody runs', { how: 'commit', commit: 'c0ffee' }, 'web@9.0.0', false],
  ]
  for (const [name, resolvedIn, release, expected] of cases) {
    it(`${name}: ${expected ? 'brings it back' : 'is no news'}`, () => {
      assert.equal(back(resolvedIn, release), expected)
    })
  }
})

describe('resolving in a release', () => {
  const releases = [
    { version: 'web@2.0.0', atMs: 1 },
    { version: 'web@1.9.0', atMs: 5 },
  ]
  const known = {
    releases,
  }
  const of = (ask: Parameters<typeof resolutionOf>[0]) => {
    const isKnown = ask?.how === 'commit' && ask.commit === 'known'
    const withCommit = isKnown ? { version: 'web@1.9.0', atMs: 5 } : null
    const done = resolutionOf(ask, { ...known, withCommit })
    return done.ok ? done.value : done.code
  }

  it('keeps the release that was named, the latest for the next, the commit until a release has it', () => {
    assert.equal(of(null), null)
    assert.deepEqual(of({ how: 'release', release: 'web@1.9.0' }), {
      ...{ how: 'release', release: 'web@1.9.0', atMs: 5 },
    })
    assert.deepEqual(of({ how: 'release', release: 'latest' }), {
      ...{ how: 'release', release: 'web@2.0.0', atMs: 1 },
    })
    assert.deepEqual(of({ how: 'next' }), { how: 'next', release: 'web@2.0.0', atMs: 1 })
    assert.deepEqual(of({ how: 'commit', commit: 'known' }), {
      ...{ how: 'release', release: 'web@1.9.0', atMs: 5, commit: 'known' },
    })
    const waiting = { how: 'commit', commit: 'later' } as const
    assert.deepEqual(of(waiting), waiting)
    const next = { version: 'web@3.0.0', atMs: 9 }
    assert.deepEqual(withRelease(waiting, next, new Set(['later'])), {
      ...{ how: 'release', release: 'web@3.0.0', atMs: 9, commit: 'later' },
    })
    assert.equal(withRelease(waiting, next, new Set(['other'])), null)
  })

  it('refuses a release that the project does not have', () => {
    assert.equal(of({ how: 'release', release: 'web@7.0.0' }), 'invalid_input')
    const none = resolutionOf({ how: 'next' }, { releases: [], withCommit: null })
    assert.ok(!none.ok)
  })
})
