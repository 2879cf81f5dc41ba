import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PersonItem } from '@errata/server/queries'
import { nameParts } from '#parts/person-name.ts'
import { isMoreThanCounted } from './person-more.ts'
import { calledName, dataText, deletedText } from './person-text.ts'
import { BREAK_MS, countedOf, runsOf, splitIntoSessions } from './sessions.ts'

const item = (atMs: number, of: Partial<PersonItem> = {}): PersonItem => ({
  ...{ kind: 'request', atMs, durationMs: null, projectId: 1 as PersonItem['projectId'], text: 'x' }, // any id
  ...{ release: null, device: null, level: null, end: null, requestKind: null, issue: null, trace: null },
  ...of,
})

describe('what one person did', () => {
  test('is one session until half an hour passes without anything', () => {
    const at = 10 * BREAK_MS
    const within = splitIntoSessions([item(at + BREAK_MS), item(at)])
    assert.deepEqual(
      within.map(({ items }) => items.length),
      [2],
    )
    const apart = splitIntoSessions([item(at + BREAK_MS + 1), item(at)])
    assert.deepEqual(
      apart.map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [at + BREAK_MS + 1, at + BREAK_MS + 1],
        [at, at],
      ],
    )
  })

  test('goes on while a page load lasts', () => {
    const [only, ...others] = splitIntoSessions([
      item(BREAK_MS + 500),
      item(0, { kind: 'page', durationMs: 1_000 }),
    ])
    assert.deepEqual([only?.startMs, only?.endMs, others.length], [0, BREAK_MS + 500, 0])
  })

  test('shows what follows itself once, and nothing else', () => {
    const same = item(9, { text: 'a' })
    const others: readonly Partial<PersonItem>[] = [
      { text: 'b' },
      { kind: 'page' },
      { end: 'failed' },
      { level: 'error' },
      { requestKind: 'action' },
      { projectId: 2 as PersonItem['projectId'] }, // any other id
    ]
    const lengthsOf = (...items: readonly PersonItem[]) =>
      runsOf(items.map((one, at) => ({ item: one, id: String(at) }))).map(({ length }) => length)
    assert.deepEqual(lengthsOf(same, item(8, { text: 'a', durationMs: 3, release: 'r' }), same), [3])
    for (const other of others) assert.deepEqual(lengthsOf(same, { ...same, ...other }, same), [1, 1, 1])
    assert.deepEqual(lengthsOf(), [])
  })

  test('names releases and devices once, most frequent first', () => {
    const items = [item(3, { release: 'b' }), item(2, { release: 'a' }), item(1, { release: 'a' })]
    assert.deepEqual(splitIntoSessions(items)[0]?.releases, ['b', 'a'])
    assert.deepEqual(
      countedOf(items, 'release').map(({ value, count }) => [value, count]),
      [
        ['a', 2],
        ['b', 1],
      ],
    )
    assert.deepEqual(countedOf(items, 'device'), [])
  })

  test('names a device once, however much each item says of it', () => {
    const on = (...devices: readonly string[]) =>
      countedOf(
        devices.map((device, at) => item(at, { device })),
        'device',
      ).map(({ value, count }) => [value, count])
    assert.deepEqual(on('Edge 142, Windows 10', 'Edge 142', 'Edge 142.0', 'Edge 142.0, Windows 10'), [
      ['Edge 142, Windows 10', 4],
    ])
    // Which of two systems it was on is not known.
    assert.deepEqual(on('Edge 142, Windows 10', 'Edge 142, iOS 18', 'Edge 142'), [
      ['Edge 142', 1],
      ['Edge 142, iOS 18', 1],
      ['Edge 142, Windows 10', 1],
    ])
    assert.deepEqual(on('Edge 14', 'Edge 142, Windows 10'), [
      ['Edge 142, Windows 10', 1],
      ['Edge 14', 1],
    ])
    const [session] = splitIntoSessions([
      item(2, { device: 'Edge 142' }),
      item(1, { device: 'Edge 142, iOS 18' }),
    ])
    assert.deepEqual(session?.devices, ['Edge 142, iOS 18'])
  })
})

describe('a person in words', () => {
  const counted = {
    ...{ events: 18, traces: 2, others: 0, issues: 6, projects: [1, 2] },
    ...{ isTracesBounded: false, isIssuesBounded: false },
  }

  test('says what is stored and what goes', () => {
    assert.equal(dataText(counted), '18 events, 2 traces, 6 issues in 2 projects')
    assert.equal(deletedText(counted), '18 events and 2 traces')
    const little = { ...counted, events: 1, traces: 0, issues: 1, projects: [1] }
    assert.equal(dataText(little), '1 event, 1 issue in 1 project')
    assert.equal(deletedText(little), '1 event')
    const more = { ...counted, others: 1 }
    assert.equal(dataText(more), '18 events, 2 traces, 1 other item, 6 issues in 2 projects')
    assert.equal(deletedText(more), '18 events, 2 traces and 1 other item')
    assert.equal(deletedText({ ...more, events: 0, traces: 0, others: 2 }), '2 other items')
    assert.equal(dataText({ ...counted, events: 0, traces: 0, issues: 0, projects: [] }), 'nothing')
    assert.equal(
      dataText({ ...counted, isTracesBounded: true, isIssuesBounded: true }),
      '18 events, at least 2 traces, at least 6 issues in 2 projects',
    )
  })

  test('is called by the one username or email that goes with the id', () => {
    const called = (key: string, ...names: readonly string[]) =>
      calledName({ key, names: names.map((name) => ({ name, rows: 1 })) })
    assert.equal(called('id:7', 'email:ada@x.test', 'username:ada', 'ip:192.0.2.1'), 'ada')
    assert.equal(called('id:7', 'email:ada@x.test', 'ip:192.0.2.1'), 'ada@x.test')
    assert.equal(called('id:7', 'username:a', 'username:b', 'email:ada@x.test'), 'ada@x.test')
    // Which of two is theirs is not known, and an address may be a whole office's.
    assert.equal(called('id:7', 'email:a@x.test', 'email:b@x.test'), '7')
    assert.equal(called('id:7', 'ip:192.0.2.1'), '7')
    assert.equal(called('ip:192.0.2.1', 'username:ada'), '192.0.2.1')
  })

  test('tells a name from what it is', () => {
    assert.deepEqual(nameParts('id:a:b'), { kind: 'User ID', name: 'a:b' })
    assert.deepEqual(nameParts('other:x'), { kind: '', name: 'other:x' })
  })
})

describe('what is deleted of a person', () => {
  const seen = { events: 200, traces: 5, others: 0, projects: [1, 2] }
  const now = (over: object) => ({ ...seen, projects: [{ projectId: 2 }, { projectId: 1 }], ...over })
  for (const [what, over, isMore] of [
    ['as much', {}, false],
    ['a tenth more events', { events: 220 }, false],
    ['one event beyond that', { events: 221 }, true],
    ['ten more traces', { traces: 15 }, false],
    ['eleven more traces', { traces: 16 }, true],
    ['ten more of other datasets', { others: 10 }, false],
    ['eleven more of other datasets', { others: 11 }, true],
    ['fewer projects', { projects: [{ projectId: 1 }] }, false],
    ['as many projects, of which one is another', { projects: [{ projectId: 1 }, { projectId: 3 }] }, true],
  ] as const)
    test(`is ${isMore ? 'asked again' : 'what was counted'} with ${what}`, () =>
      assert.equal(isMoreThanCounted(now(over), seen), isMore))
})
