import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventRows } from './event-columns.ts'

type Row = Parameters<typeof eventRows>[0][number]

const row = (fields: Partial<Row>) =>
  ({
    eventId: 'e1',
    timestampMs: 1,
    title: 'Error: boom',
    release: 'shop@1',
    environment: 'production',
    user: null,
    browser: 'Chrome 141',
    url: null,
    serverName: null,
    transaction: 'GET /',
    requestKind: 'document',
    ...fields,
  }) as Row // the columns read these fields of a row and no other

describe('the columns of events', () => {
  test('are those that differ, an absent value included', () => {
    const { columns, rows } = eventRows([row({ user: 'id:1' }), row({ user: 'id:2', url: '/a' })])
    assert.deepEqual(columns, ['User', 'URL'])
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      [
        ['id:1', null],
        ['id:2', '/a'],
      ],
    )
  })

  test('a title that differs comes first, one that does not is the heading already', () => {
    const rows = [row({ title: 'user bob' }), row({ title: 'user eve', requestKind: 'route-handler' })]
    assert.deepEqual(eventRows(rows).columns, ['Title', 'Kind'])
    assert.deepEqual(eventRows(rows).rows[1]?.cells, ['user eve', 'route handler'])
    assert.ok(!eventRows([row({}), row({})]).same.some(([name]) => name === 'Title'))
  })

  test('what is the same is said apart, what is absent not at all', () => {
    assert.deepEqual(eventRows([row({}), row({ release: 'shop@2' })]).same, [
      ['Kind', 'document'],
      ['Environment', 'production'],
      ['Browser', 'Chrome 141'],
      ['Transaction', 'GET /'],
    ])
  })

  test('one event shows what is looked for first', () => {
    const { columns, same } = eventRows([row({})])
    assert.deepEqual(columns, ['Release', 'Environment', 'User'])
    assert.ok(same.some(([name]) => name === 'Browser'))
    assert.deepEqual(eventRows([]).rows, [])
  })
})
