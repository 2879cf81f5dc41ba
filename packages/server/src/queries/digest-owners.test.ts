import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest, groupHash, issueId, projectId, readEventId } from '#base/ids.ts'
import type { DigestMatch } from '#ports/issues.ts'
import { ownersOfDigests } from './digest-owners.ts'

const EVENT = readEventId('b'.repeat(32)) ?? assert.fail('an event id')

const match = (over: Partial<DigestMatch>): DigestMatch => ({
  digest: digest('1513151086'),
  issueId: issueId(1),
  projectId: projectId(1),
  groupHash: groupHash('a'.repeat(32)),
  release: 'shop@2',
  environment: null,
  route: '/orders/[id]',
  requestKind: 'document',
  eventId: EVENT,
  traceId: null,
  count: 10,
  mirrorCount: 0,
  verified: true,
  firstSeenMs: 1,
  lastSeenMs: 2,
  ...over,
})
const mirror = (over: Partial<DigestMatch>) =>
  match({ issueId: issueId(2), projectId: projectId(2), count: 4, mirrorCount: 4, ...over })

describe('ownersOfDigests', () => {
  it('gives the number to the server’s exception and counts its mirrors there', () => {
    const owners = ownersOfDigests([
      match({}),
      match({ release: 'shop@1' }),
      mirror({}),
      mirror({ release: 'shop@0' }),
    ])
    assert.deepEqual(
      owners.map((each) => [each.issueId, each.release, each.count, each.foldedMirrors]),
      [
        [1, 'shop@2', 10, 8],
        [1, 'shop@1', 10, 0],
      ],
    )
  })

  it('leaves a mirror the owner while nothing else is known', () => {
    assert.deepEqual(ownersOfDigests([mirror({})]), [{ ...mirror({}), foldedMirrors: 0 }])
  })

  it('does not mix digests', () => {
    const other = mirror({ digest: digest('42424242') })
    assert.deepEqual(ownersOfDigests([match({}), other]), [
      { ...match({}), foldedMirrors: 0 },
      { ...other, foldedMirrors: 0 },
    ])
  })
})
