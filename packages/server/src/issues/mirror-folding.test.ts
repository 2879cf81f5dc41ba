import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { groupHash, issueId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import {
  type FailureBeside,
  foldOf,
  isAtLeastAsSure,
  mirrorRoute,
  type ServerGroup,
} from './mirror-folding.ts'

const OWN = projectId(1)
const OTHER = projectId(2)
const MIRROR_MS = 1_000_000

const aGroup = (id: number, project = OWN): ServerGroup => ({
  groupId: id,
  issueId: issueId(id),
  projectId: project,
  hash: groupHash(id.toString(16).padStart(16, '0')),
})

const aFailure = (id: number, change: Partial<FailureBeside> = {}): FailureBeside => ({
  ...aGroup(id),
  ...{ kind: 'document', isHandled: false, atMs: MIRROR_MS, isSameRoute: false },
  mirror: { kind: 'browser', atMs: MIRROR_MS },
  ...change,
})

const NOTHING = { projectId: OWN, byDigest: [], byTrace: [], byTime: [] }

/** The group that is taken, whichever comes first. */
function taken(evidence: Partial<Parameters<typeof foldOf>[0]>): number {
  const found = ['as they come', 'the other way round'].map((order) => {
    const turned = <T>(all: readonly T[] = []) => (order === 'as they come' ? all : all.toReversed())
    const { byDigest, byTrace, byTime } = evidence
    const all = { byDigest: turned(byDigest), byTrace: turned(byTrace), byTime: turned(byTime) }
    const fold = foldOf({ ...NOTHING, ...all })
    return fold === null || fold === 'ambiguous' ? -1 : fold.into.groupId
  })
  assert.equal(found[0], found[1], 'the order of evidence decides nothing')
  return found[0] ?? -1
}

describe('the failure of a server that a mirror shows', () => {
  it('is of two digests the one of its trace, though the other is of its own project', () => {
    const [own, traced] = [aGroup(1), aGroup(2, OTHER)]
    assert.equal(taken({ byDigest: [own, traced], byTrace: [aFailure(2, traced)] }), 2)
  })

  it('is of two digests without a trace the one of its own project', () => {
    assert.equal(taken({ byDigest: [aGroup(1, OTHER), aGroup(2)] }), 2)
  })

  it('is of two digests alike the first by project and name', () => {
    assert.equal(taken({ byDigest: [aGroup(2), aGroup(1)] }), 1)
  })

  it('is by digest before it is by trace, and by trace before it is by time', () => {
    const [one, two, three] = [aFailure(1), aFailure(2), aFailure(3, { isSameRoute: true })]
    assert.equal(taken({ byDigest: [one], byTrace: [two], byTime: [three] }), 1)
    assert.equal(taken({ byTrace: [two], byTime: [three] }), 2)
    assert.equal(taken({ byTime: [three] }), 3)
  })

  it('is of a trace one that had failed by then, before what is of the same route', () => {
    const late = aFailure(1, { atMs: MIRROR_MS + 201, isSameRoute: true })
    assert.equal(taken({ byTrace: [late, aFailure(2, { atMs: MIRROR_MS - 900 })] }), 2)
    const inTime = aFailure(1, { atMs: MIRROR_MS + 200, isSameRoute: true })
    assert.equal(taken({ byTrace: [inTime, aFailure(2, { atMs: MIRROR_MS - 900 })] }), 1)
  })

  it('is of a trace the one of the same route, then what nobody handled, then the nearest', () => {
    const near = { atMs: MIRROR_MS - 10 }
    const far = { atMs: MIRROR_MS - 20 }
    const handled = { isHandled: true }
    assert.equal(
      taken({ byTrace: [aFailure(1, near), aFailure(2, { ...far, ...handled, isSameRoute: true })] }),
      2,
    )
    assert.equal(taken({ byTrace: [aFailure(1, { ...near, ...handled }), aFailure(2, far)] }), 2)
    assert.equal(taken({ byTrace: [aFailure(1, far), aFailure(2, near)] }), 2)
    assert.equal(taken({ byTrace: [aFailure(1, far), aFailure(2, { atMs: MIRROR_MS + 10 })] }), 2)
  })

  it('is by time within its window, and the nearest of one issue', () => {
    const windowMs = max('mirrorRouteWindowMs')
    const at = (id: number, apart: number) => aFailure(id, { atMs: MIRROR_MS - apart, isSameRoute: true })
    const within = [windowMs - 1, windowMs, windowMs + 1].map((apart) => taken({ byTime: [at(1, apart)] }))
    assert.deepEqual(within, [1, 1, -1])
    const oneIssue = { issueId: issueId(9) }
    assert.equal(
      taken({
        byTime: [
          { ...at(1, 30), ...oneIssue },
          { ...at(2, 20), ...oneIssue },
        ],
      }),
      2,
    )
    assert.equal(foldOf({ ...NOTHING, byTime: [at(1, 30), at(2, 20)] }), 'ambiguous')
  })

  it('is as sure as it is near', () => {
    const sureAt = (apart: number) => {
      const fold = foldOf({
        ...NOTHING,
        byTime: [aFailure(1, { atMs: MIRROR_MS - apart, isSameRoute: true })],
      })
      return fold === null || fold === 'ambiguous' ? null : fold.confidence
    }
    assert.deepEqual([4_999, 5_000, 5_001].map(sureAt), ['high', 'high', 'medium'])
    assert.deepEqual([19_999, 20_000, 20_001].map(sureAt), ['medium', 'medium', 'low'])
  })

  it('stays what it was unless another is at least as sure', () => {
    assert.deepEqual(
      (['route', 'trace', 'digest', 'deploy'] as const).map((match) => isAtLeastAsSure(match, 'digest')),
      [false, false, true, true],
    )
  })

  it('is of one route however both spell it', () => {
    for (const route of ['/orders/[id]', '/orders/:id', '/orders/$id', '/(shop)/orders/[[...id]]'])
      assert.equal(mirrorRoute(route), '/orders/:', route)
  })
})
