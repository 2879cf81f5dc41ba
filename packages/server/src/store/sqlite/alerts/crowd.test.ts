/** A message to everybody of a large organisation: a few statements, and what each person is told is as it would be alone. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { type IssueId, type OrgId, type ProjectId, type UserId, userId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { HELD_FOR_PERSON, TOLD_IN_ANOTHER, tooManyWait } from '#notices/rules/messages.ts'
import type { NewMessage } from '#ports/messages.ts'
import { anAlert } from '#testing/builders/alert-message.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { countedConnection } from '#testing/counted-connection.ts'
import { openNewControl } from '#testing/new-control.ts'
import { setUpTwoProjects } from '#testing/worlds/two-projects.ts'
import { controlCommit } from '../commit/apply-batch.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'
import { claimDueRows } from '../outbox/claims.ts'
import { insertMessages, messagesDue, messagesWaiting } from './message-queue.ts'

async function anIssueOf(db: Connection, projectId: ProjectId): Promise<IssueId> {
  await controlCommit(db, manualClock(NOW)).applyBatch(aBatch(1, [anEvent({ projectId, group: 'crowd' })]))
  return db.get<{ id: IssueId }>('SELECT max(id) AS id FROM issues')?.id ?? assert.fail('no issue')
}

const PEOPLE = 500
const GATHER_MS = max('alertGatherMs')

describe('a message to everybody', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-crowd-'))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  let db: Connection
  let place: { readonly orgId: OrgId; readonly projectId: ProjectId }
  let people: readonly UserId[]
  before(async () => {
    const control = openNewControl({ path, clock, log: silentLog })
    const reader = openControlReader({ path, clock, log: silentLog })
    const { org, shop } = await setUpTwoProjects({ control, reader })
    await reader.close()
    await control.close()
    db = Connection.openWriter(path)
    place = { orgId: org, projectId: shop.projectId }
    const numbers = `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${PEOPLE})`
    db.run(`${numbers} INSERT INTO users (email, email_folded, name, password_hash, created_ms)
      SELECT n || '@many.example', n || '@many.example', 'Person ' || n, '', 0 FROM many`)
    db.run(
      `INSERT INTO memberships (org_id, user_id, role, joined_ms)
        SELECT ?, id, 'manager', 0 FROM users WHERE email LIKE '%@many.example'`,
      [org],
    )
    const ids = db.all<{ id: number }>(`SELECT id FROM users WHERE email LIKE '%@many.example' ORDER BY id`)
    people = ids.map(({ id }) => userId(id))
  })
  after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })

  const message = (over: Partial<NewMessage>): NewMessage => ({
    ...{ ...place, firingId: null, issueId: null, heldUntilMs: null, occasion: null, projects: null },
    ...{ target: { to: 'members' }, message: anAlert({ level: 'warning' }) },
    ...over,
  })
  const person = (at: number) => people[at] ?? assert.fail('nobody')
  const to = (at: number) => ({ to: 'user', userId: person(at) }) as const

  async function queue(nowMs: number, ...messages: readonly Partial<NewMessage>[]): Promise<number> {
    let calls = 0
    const counted = countedConnection(db, () => calls++)
    counted.transaction(() => insertMessages(counted, messages.map(message), nowMs))
    return calls
  }

  interface Row {
    readonly id: number
    readonly state: string
    readonly dueMs: number | null
    readonly says: string | null
    readonly into: number | null
  }
  const rowsOf = (at: number) =>
    db.all<Row>(
      `SELECT id, state, due_ms AS dueMs, says, gathered_in AS "into" FROM alert_messages WHERE user_id = ? ORDER BY id`,
      [person(at)],
    )

  it('waits for each as for one alone, in a few statements', async () => {
    const [quiet, lately, tested, held, last] = [0, 1, 2, 3, PEOPLE - 1]
    const hours = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 0, untilMinute: 1_439, timeZone: 'UTC' }
    db.run('INSERT INTO person_quiet_hours (user_id, hours) VALUES (?, ?)', [
      person(quiet),
      JSON.stringify(hours),
    ])
    await queue(NOW, { target: to(lately), firingId: 1 })
    await queue(NOW, { target: to(tested), message: anAlert({ moment: 'test' }) })
    await queue(NOW, { target: to(held), firingId: 7, heldUntilMs: NOW + HOUR })
    const nowMs = NOW + GATHER_MS - 1
    const calls = await queue(nowMs, { firingId: 7 })
    assert.ok(calls < 40, `${calls} calls for ${PEOPLE} people`)

    const plain = { state: 'waiting', dueMs: nowMs, says: null, into: null }
    const shown = (at: number) => rowsOf(at).map(({ id: _, ...row }) => row)
    assert.deepEqual(shown(last), [plain])
    assert.deepEqual(shown(lately).at(-1), { ...plain, dueMs: NOW + GATHER_MS })
    assert.deepEqual(shown(tested).at(-1), plain)
    assert.deepEqual(shown(quiet), [{ state: 'gathered', dueMs: null, says: HELD_FOR_PERSON, into: null }])
    const [earlier, now] = rowsOf(held)
    assert.deepEqual([earlier?.state, earlier?.says, earlier?.into], ['gathered', TOLD_IN_ANOTHER, now?.id])
    assert.equal(now?.dueMs, nowMs)
    const all = db.get<{ count: number; keys: number }>(
      `SELECT count(DISTINCT user_id) AS count, count(DISTINCT key) AS keys FROM alert_messages
        WHERE firing_id = 7 AND at_ms = ?`,
      [nowMs],
    )
    const members = db.get<{ count: number }>('SELECT count(*) AS count FROM memberships WHERE org_id = ?', [
      place.orgId,
    ])
    assert.deepEqual([all?.count, all?.keys], [members?.count, members?.count])
  })

  it('is gathered with the one before it, and forgets what was held of its firing', async () => {
    const nowMs = NOW + 2 * GATHER_MS - 2
    await queue(nowMs, { firingId: 8 }, { firingId: 9, target: to(5) })
    assert.deepEqual(
      rowsOf(5).map(({ dueMs }) => dueMs),
      [NOW + GATHER_MS - 1, NOW + 2 * GATHER_MS - 1, NOW + 2 * GATHER_MS - 1],
    )
    const lines = () =>
      db.get<{ count: number }>('SELECT count(*) AS count FROM held_emails WHERE firing_id = 8')?.count
    assert.equal(lines(), 1)
    await queue(nowMs, { firingId: 8, message: anAlert({ level: 'critical' }) })
    assert.equal(lines(), 0)
  })

  it('is in the log alone for whom another rule told of the same occasion', async () => {
    const issueId = await anIssueOf(db, place.projectId)
    const occasion = { of: 'events', atMs: NOW } as const
    await queue(NOW + HOUR, { issueId, occasion, target: to(20) })
    const calls = await queue(NOW + HOUR, { issueId, occasion }, { issueId, occasion })
    assert.ok(calls < 60, `${calls} calls for ${PEOPLE} people, twice`)
    const [first, ...others] = rowsOf(20).slice(-3)
    assert.deepEqual([first?.state, first?.into], ['waiting', null])
    assert.deepEqual(
      others.map(({ id: _, ...row }) => row),
      Array.from({ length: 2 }, () => ({
        state: 'gathered',
        dueMs: null,
        says: TOLD_IN_ANOTHER,
        into: first?.id,
      })),
    )
    const [own, again] = rowsOf(21).slice(-2)
    assert.deepEqual([own?.state, again?.state, again?.into], ['waiting', 'gathered', own?.id])
  })

  it('waits as one receiver, whichever of its people is first in turn', async () => {
    db.run('UPDATE alert_messages SET due_ms = NULL')
    assert.deepEqual(messagesWaiting(db, 'mail'), [])
    await queue(NOW + 2 * HOUR, { firingId: 30 }, { firingId: 31 })
    const [waiting, ...others] = messagesWaiting(db, 'mail')
    assert.deepEqual([waiting?.dueMs, waiting?.orgId, others], [NOW + 2 * HOUR, place.orgId, []])
    // What is tried again later holds the end of its own firing back, and nobody else's.
    db.run('UPDATE alert_messages SET due_ms = ? WHERE firing_id = 31', [NOW + 3 * HOUR])
    db.run('UPDATE alert_messages SET due_ms = ? WHERE firing_id = 30', [NOW + 4 * HOUR])
    await queue(NOW + 2 * HOUR + 1, { firingId: 30, target: to(0), message: anAlert({ level: 'critical' }) })
    assert.equal(messagesWaiting(db, 'mail')[0]?.dueMs, NOW + 3 * HOUR)
  })

  it('stores its text once, and hands it to each', async () => {
    const texts = () => db.get<{ count: number }>('SELECT count(*) AS count FROM alert_texts')?.count
    const before = texts() ?? 0
    const said = anAlert({ headline: 'Once for all', level: 'critical' })
    const nowMs = NOW + 10 * HOUR
    // Two targets of one rule, and somebody whose quiet hours do not hold what is critical.
    await queue(nowMs, { message: said, firingId: 90 }, { message: said, firingId: 90, projects: [] })
    assert.equal(texts(), before + 1)
    const own = db.get<{ bytes: number; rows: number }>(
      'SELECT sum(length(message)) AS bytes, count(*) AS rows FROM alert_messages WHERE firing_id = 90',
    )
    assert.ok((own?.rows ?? 0) >= PEOPLE, `${own?.rows} rows`)
    assert.equal(own?.bytes, (own?.rows ?? 0) * 'null'.length)
    const claimed = claimDueRows(db, messagesDue(db), {
      ...{ nowMs, leaseMs: HOUR, lease: 'a', limit: 1, triesMax: 3, only: [`mail:${place.orgId}`] },
    })
    assert.deepEqual(claimed.map(({ message }) => message.headline).length, 1)
    const last = db.get<{ id: number }>('SELECT max(id) AS id FROM alert_messages WHERE firing_id = 90')?.id
    db.run('UPDATE alert_messages SET due_ms = NULL WHERE id <> ?', [last ?? 0])
    const [one] = claimDueRows(db, messagesDue(db), {
      ...{ nowMs, leaseMs: HOUR, lease: 'b', limit: 1, triesMax: 3, only: [`mail:${place.orgId}`] },
    })
    assert.deepEqual(one?.message, said)
  })

  /** Messages that wait already, of an email channel's kind unless a channel is given. */
  function fillWith(
    count: number,
    {
      dueMs,
      heldMs = null,
      channel = null,
    }: { readonly dueMs: number; readonly heldMs?: number | null; readonly channel?: number | null },
  ) {
    db.run(
      `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < :count)
        INSERT INTO alert_messages (org_id, project_id, channel_id, kind, receiver, key, message, headline, level, state, at_ms, due_ms, held_until_ms)
        SELECT :org, NULL, :channel, iif(:channel IS NULL, 'email', 'pagerduty'), '', lower(hex(randomblob(16))), '{}', '', 'info', 'waiting', 0, :due, :held FROM many`,
      { count, org: place.orgId, due: dueMs, held: heldMs, channel },
    )
  }
  const rows = (firing: number) =>
    db.all<{ state: string; receiver: string; says: string | null; count: number }>(
      `SELECT state, iif(state = 'failed', receiver, '') AS receiver, says, count(*) AS count FROM alert_messages
        WHERE firing_id = ? AND state <> 'gathered' GROUP BY state, iif(state = 'failed', receiver, ''), says ORDER BY state`,
      [firing],
    )
  const channelOf = (kind: string, address: string) =>
    db.run(
      `INSERT INTO channels (org_id, kind, name, settings, secrets, created_by, created_ms, changed_ms)
        VALUES (?, ?, ?, ?, '{}', 'Ada', 0, 0)`,
      [place.orgId, kind, `${kind} ${address}`, JSON.stringify({ address })],
    ).lastId

  it('is not queued beyond what may wait: the log says to how many it was not sent', async () => {
    const nowMs = NOW + 20 * HOUR
    const most = max('alertMessagesWaitingMax')
    db.run('UPDATE alert_messages SET due_ms = NULL')
    const fill = (count: number) => fillWith(count, { dueMs: nowMs })
    await queue(nowMs, { firingId: 91, message: anAlert({ level: 'critical' }) })
    const told = rows(91)[0]?.count ?? 0
    assert.ok(told >= PEOPLE, `${told} people`)
    db.run('UPDATE alert_messages SET due_ms = NULL')
    fill(most - told)
    await queue(nowMs, { firingId: 92, message: anAlert({ level: 'critical' }) })
    assert.deepEqual(
      rows(92).map(({ state, count }) => [state, count]),
      [['waiting', told]],
      'just room for all',
    )
    db.run('UPDATE alert_messages SET due_ms = NULL WHERE firing_id = 92 AND user_id <> ?', [person(5)])
    fill(told - 3)
    await queue(nowMs, { firingId: 93, message: anAlert({ level: 'critical' }) })
    const says = tooManyWait('email', false)
    assert.deepEqual(rows(93), [
      { state: 'failed', receiver: `${told - 2} people`, says, count: 1 },
      { state: 'waiting', receiver: '', says: null, count: 2 },
    ])
    await queue(nowMs, { firingId: 94, target: to(7), message: anAlert({ level: 'critical' }) })
    assert.deepEqual(rows(94), [{ state: 'failed', receiver: 'Person 8', says, count: 1 }])
    await queue(nowMs, { firingId: 95, target: to(7), message: anAlert({ moment: 'test' }) })
    assert.equal(rows(95)[0]?.state, 'waiting', 'somebody waits for a test')
  })

  it('is kept out by nothing that quiet hours hold, which has a bound of its own', async () => {
    const nowMs = NOW + 30 * HOUR
    const [morningMs, most] = [nowMs + HOUR, max('alertMessagesHeldMax')]
    db.run('UPDATE alert_messages SET due_ms = NULL')
    fillWith(most - 1, { dueMs: morningMs, heldMs: morningMs })
    await queue(nowMs, { firingId: 101, target: to(7), heldUntilMs: morningMs })
    assert.equal(rows(101)[0]?.state, 'waiting', 'the last that may be held')
    const says = tooManyWait('email', true)
    assert.match(says, /quiet hours/)
    await queue(nowMs, { firingId: 102, target: to(7), heldUntilMs: morningMs })
    assert.deepEqual(rows(102), [{ state: 'failed', receiver: 'Person 8', says, count: 1 }])
    await queue(nowMs, { firingId: 103, target: to(7), message: anAlert({ level: 'critical' }) })
    assert.equal(rows(103)[0]?.state, 'waiting')
    await queue(morningMs + 1, { firingId: 104, target: to(7), message: anAlert({ level: 'critical' }) })
    assert.equal(rows(104)[0]?.state, 'waiting', 'nor in the morning')
    db.run('UPDATE alert_messages SET due_ms = NULL')
    fillWith(max('alertMessagesWaitingMax'), { dueMs: nowMs })
    await queue(nowMs, { firingId: 105, target: to(7), heldUntilMs: morningMs })
    assert.equal(rows(105)[0]?.state, 'waiting', 'what is due keeps out nothing that is held')
  })

  it('is held for somebody’s own quiet hours though no more may wait', async () => {
    const nowMs = NOW + 32 * HOUR
    db.run('UPDATE alert_messages SET due_ms = NULL')
    fillWith(max('alertMessagesWaitingMax'), { dueMs: nowMs })
    await queue(nowMs, { firingId: 111, target: to(0) })
    assert.equal(rowsOf(0).at(-1)?.says, HELD_FOR_PERSON)
  })

  it('that was refused makes the next one wait for nothing', async () => {
    const nowMs = NOW + 34 * HOUR
    db.run('UPDATE alert_messages SET due_ms = NULL')
    fillWith(max('alertMessagesWaitingMax'), { dueMs: nowMs })
    await queue(nowMs, { firingId: 121, target: to(8) })
    assert.equal(rows(121)[0]?.state, 'failed')
    db.run('UPDATE alert_messages SET due_ms = NULL WHERE firing_id IS NULL')
    await queue(nowMs + 1, { firingId: 122, target: to(8) })
    assert.equal(rowsOf(8).at(-1)?.dueMs, nowMs + 1)
  })

  it('by an email channel is bounded with the organisation’s mail, and none says that another told it', async () => {
    const nowMs = NOW + 36 * HOUR
    const mail = channelOf('email', '10@many.example')
    db.run('UPDATE alert_messages SET due_ms = NULL')
    fillWith(max('alertMessagesWaitingMax'), { dueMs: nowMs })
    const said = anAlert({ level: 'critical' })
    await queue(
      nowMs,
      { firingId: 131, target: to(9), message: said },
      { firingId: 131, target: { to: 'channel', channelId: mail }, message: said },
    )
    assert.deepEqual(
      rows(131).map(({ state, receiver }) => [state, receiver]),
      [
        ['failed', 'Person 10'],
        ['failed', 'email 10@many.example'],
      ],
    )
  })

  it('of the end of an incident is queued for its pager whatever waits', async () => {
    const nowMs = NOW + 38 * HOUR
    const pager = channelOf('pagerduty', 'https://pager.example/')
    fillWith(max('alertMessagesWaitingMax'), { dueMs: nowMs, channel: pager })
    const target = { to: 'channel', channelId: pager } as const
    await queue(nowMs, { firingId: 141, target, message: anAlert({ level: 'critical' }) })
    await queue(nowMs, { firingId: 142, target, message: anAlert({ level: 'ok' }) })
    assert.deepEqual([rows(141)[0]?.state, rows(142)[0]?.state], ['failed', 'waiting'])
  })
})
