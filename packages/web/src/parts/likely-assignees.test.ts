import assert from 'node:assert/strict'
import { test } from 'node:test'
import { likelyAssignees } from './likely-assignees.ts'

type Suspect = Parameters<typeof likelyAssignees>[0]['suspects'][number]

function by(author: Partial<Suspect['commit']>): Suspect {
  const commit = { member: null, authorName: null, authorEmail: null, ...author }
  return { commit, path: 'a.ts' } as Suspect // of a commit only its author is looked at
}

const ROSA = { userId: 7, name: 'Rosa Kim', email: 'rosa@shop.test' } as Suspect['commit']['member'] // as above

test('authors of suspect commits come before owners, each once', () => {
  const likely = likelyAssignees({
    suspects: [by({ member: ROSA }), by({ member: ROSA })],
    owners: [
      { owner: 7, name: 'Rosa Kim' },
      { owner: { team: 3 }, name: '#orders' },
    ],
    members: [{ userId: 7 }],
  })
  assert.deepEqual(
    likely.map(({ assign, why }) => `${assign} ${why}`),
    ['7 suspect commit', 'team-3 owner'],
  )
})

test('who is no member can be invited, and who cannot read the project is not offered', () => {
  const likely = likelyAssignees({
    suspects: [
      by({ authorName: 'Tom', authorEmail: 'tom@shop.test' }),
      by({ member: ROSA }),
      by({ authorName: 'X' }),
    ],
    owners: [],
    members: [],
  })
  assert.deepEqual(likely, [{ assign: null, name: 'Tom', why: 'suspect commit', email: 'tom@shop.test' }])
})
