import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LikelyAssignee, likelyAssignees, offersBeside } from './likely-assignees.ts'

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

const CHOICES = {
  ...{ find: '', isPart: false, projects: [] },
  teams: [
    { id: 3, slug: 'orders', name: 'Orders' },
    { id: 7, slug: 'till', name: 'Till' },
  ],
  people: [
    { id: 7, slug: 'rosa@shop.test', name: 'Rosa Kim' },
    { id: 8, slug: 'tom@shop.test', name: 'Tom' },
  ],
}

const LIKELY: readonly LikelyAssignee[] = [
  { assign: '7', name: 'Rosa Kim', why: 'suspect commit', email: null },
  { assign: 'team-3', name: '#orders', why: 'owner', email: null },
  { assign: null, name: 'Ada', why: 'suspect commit', email: 'ada@else.test' },
]

function offered(assignee: string | null, find = '') {
  const { likely, choices } = offersBeside(assignee, { likely: LIKELY, choices: { ...CHOICES, find } })
  const [teams, people] = [choices.teams.map(({ slug }) => slug), choices.people.map(({ name }) => name)]
  return [likely.map(({ name }) => name), teams, people]
}

test('a menu offers nobody twice, and a person is not taken for the team of the same number', () => {
  assert.deepEqual(offered(null), [['Rosa Kim', '#orders', 'Ada'], ['till'], ['Tom']])
  assert.deepEqual(offered('8'), [['Rosa Kim', '#orders', 'Ada'], ['till'], ['Tom']])
})

test('who has the issue stands among the others, where the tick is', () => {
  assert.deepEqual(offered('7'), [['#orders', 'Ada'], ['till'], ['Rosa Kim', 'Tom']])
  assert.deepEqual(offered('team-3'), [['Rosa Kim', 'Ada'], ['orders', 'till'], ['Tom']])
})

test('what was typed without script keeps all that match', () => {
  assert.deepEqual(offered(null, 'o').slice(1), [
    ['orders', 'till'],
    ['Rosa Kim', 'Tom'],
  ])
})
