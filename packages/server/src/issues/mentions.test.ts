import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { cpuMs } from '#testing/cpu-time.ts'
import { mentionedIn, mentionNamesAmong, teamsNamedIn } from './mentions.ts'

const person = (id: number, email: string, name = '') => ({ userId: userId(id), email, name })
const PEOPLE = [
  person(1, 'Ada@example.com', 'Ada Byron'),
  person(2, 'rosa.kim@example.com', 'Rosa Kim'),
  person(3, 'sam@example.com'),
  person(4, 'sam@other.example'),
]
const TEAMS = [{ slug: 'backend', members: [userId(2), userId(3)] }]
const named = (text: string) => mentionedIn(text, { people: PEOPLE, teams: TEAMS })

describe('mentions', () => {
  const CASES: readonly (readonly [string, readonly number[]])[] = [
    ['@ada look', [1]],
    ['see @ADA, and @rosa.kim.', [1, 2]],
    ['(@AdaByron)', [1]],
    ['@ada @ada', [1]],
    ['write to ada@example.com', []],
    ['@sam could be two people', []],
    ['@sam@other.example is one', [4]],
    ['#backend and @ada', [2, 3, 1]],
    ['#fff and issue#backend', []],
    ['@nobody', []],
    ['/@ada/', []],
  ]
  for (const [text, wanted] of CASES)
    it(`finds in “${text}”: ${wanted.join(' ') || 'nobody'}`, () => assert.deepEqual(named(text), wanted))

  it('finds the teams that a text names, each once', () => {
    assert.deepEqual(teamsNamedIn('#Backend and @ada, #backend. issue#web (#ops)'), ['backend', 'ops'])
  })

  it('offers the first part of an email, or all of it where two share it', () => {
    assert.deepEqual(PEOPLE.map(mentionNamesAmong(PEOPLE)), [
      'ada',
      'rosa.kim',
      'sam@example.com',
      'sam@other.example',
    ])
  })

  it('names no more people than its bound, whatever the text', () => {
    const many = Array.from({ length: 200 }, (_, id) => person(id + 1, `p${id}@example.com`))
    const text = many.map(({ email }) => `@${email}`).join(' ')
    assert.equal(mentionedIn(text, { people: many, teams: [] }).length, max('mentionsPerCommentMax'))
    const before = cpuMs()
    mentionedIn('@'.repeat(5_000) + '@a.'.repeat(1_666), { people: many, teams: [] })
    assert.ok(cpuMs() - before < 200)
  })
})
