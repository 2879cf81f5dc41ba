import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOBODY } from '#parts/frame-data.ts'
import { groupsFor } from './palette-entries.ts'

const EVERYBODY = [
  { to: '1', name: 'Rosa Marlow', why: 'Commit c41f9e2', invite: '' },
  { to: '2', name: 'Zoe Finch', why: '', invite: '' },
  { to: 'team-3', name: 'Payments', why: '', invite: '' },
  { to: '', name: 'Tom Ortiz', why: 'suspect commit', invite: '/acme/settings/members?invite=tom' },
]

/** Returns the names offered by an answer to `assign`, and to whom the first of them assigns. */
function offered(text: string, isCurrent: boolean) {
  const assigned: string[] = []
  const groups = groupsFor({
    ...{ frame: NOBODY, text, isCurrent, shortcuts: [], recent: [] },
    answer: { targets: [], groups: [], creations: [], pages: [], assignees: EVERYBODY, docs: [] },
    assign: (to) => assigned.push(to),
  })
  const entries = groups.flatMap((group) => group.entries)
  entries[0]?.run?.()
  return [entries.map((entry) => entry.text), assigned]
}

test('whom an issue is assigned to is whom the server found for the text, never for one typed before', () => {
  const all = ['Assign to Rosa Marlow', 'Assign to Zoe Finch', 'Assign to Payments', 'Invite Tom Ortiz']
  assert.deepEqual(offered('assign', true), [all, ['1']])
  for (const text of ['assign', 'assign to ', 'assign to zoe'])
    assert.deepEqual(offered(text, false), [[], []])
  // The server found by more than names.
  assert.deepEqual(offered('assign to rosa@shop.example', true), [all, ['1']])
})

test('who is no member leads to where they are invited, and is assigned nothing', () => {
  const assigned: string[] = []
  const [entry] = groupsFor({
    ...{ frame: NOBODY, text: 'assign to tom', isCurrent: true, shortcuts: [], recent: [] },
    answer: {
      ...{ targets: [], groups: [], creations: [], pages: [], docs: [] },
      assignees: EVERYBODY.slice(-1),
    },
    assign: (to) => assigned.push(to),
  }).flatMap((group) => group.entries)
  assert.deepEqual(
    [entry?.text, entry?.path, entry?.run],
    ['Invite Tom Ortiz', '/acme/settings/members?invite=tom', undefined],
  )
  assert.deepEqual(assigned, [])
})

test('nobody is offered where the text does not ask for it', () => {
  for (const text of ['zoe', 'assigned to zoe', 'reassign']) assert.deepEqual(offered(text, true), [[], []])
})

test('actions on what is open are found by other words for them', () => {
  const shortcuts = ['Archive', 'Send to…', 'Resolve'].map((label) => ({ keys: '', label, run: () => {} }))
  for (const [text, action] of [
    ['silence', 'Archive'],
    ['tell team', 'Send to…'],
    ['RESOLVE', 'Resolve'],
  ] as const) {
    const groups = groupsFor({
      ...{ frame: NOBODY, text, isCurrent: true, shortcuts, recent: [], assign: null },
      answer: { targets: [], groups: [], creations: [], pages: [], assignees: [], docs: [] },
    })
    assert.deepEqual(
      groups.flatMap(({ entries }) => entries.map((entry) => entry.text)),
      [action],
    )
  }
})
