import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { PersonViewer } from '#access/viewer.ts'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { createNotices } from '#notices/notices.ts'
import { openControlReader } from '#store/sqlite/control-reader.ts'
import { anActor } from '#testing/builders/actor.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { type Hook, openHook } from '#testing/notices/receivers.ts'
import { createChanges } from './changes.ts'
import { noticeCommands } from './notices.ts'
import { runCommand } from './run.ts'

const FACTS = { address: '192.0.2.7', userAgent: 'test' }

describe('commands of notices', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-notice-commands-'))
  let hook: Hook
  let house: Awaited<ReturnType<typeof aHouse>>

  async function aHouse(privateTargets: boolean) {
    const clock = manualClock(NOW)
    const path = join(directory, 'control.sqlite')
    const write = openNewControl({ path, clock, log: silentLog })
    const read = openControlReader({ path, clock, log: silentLog })
    const { userId, orgId, projectId: shop } = value(await write.createFirstOwner(FIRST_OWNER, anActor()))
    const user = await read.user(userId)
    assert.ok(user !== null)
    const scope = scopeForTest({ orgId, projects: [shop] })
    const [membership] = await read.memberships(userId)
    assert.ok(membership !== undefined)
    const session = { id: 1, userId, createdMs: 0, seenMs: 0, address: null, userAgent: null }
    const person = { kind: 'person', user, session, memberships: [membership] } as unknown as PersonViewer // as access builds one
    const owner = { viewer: person, scope, ...FACTS }
    const lookingOn = { ...person, memberships: [{ ...membership, role: 'member' as const }] }
    const looking = { ...owner, viewer: lookingOn }
    const tests = (allowed: boolean) =>
      createNotices({
        queue: write,
        outbox: write,
        letters: write,
        smtp: null,
        privateTargets: allowed,
        publicAddress: new PublicAddress({ url: 'https://errata.example.com', port: 0 }),
        version: '1',
        clock,
        random: systemRandom,
        log: silentLog,
      }).tests
    const commandsWith = (allowed: boolean) => {
      const parts = {
        ...{ projects: read, clock, random: systemRandom, changes: createChanges(write) },
        notices: { read, tests: tests(allowed) },
      }
      // Commands of notices take no other parts.
      const run = runCommand(parts as unknown as Parameters<typeof runCommand>[0])
      return { ...noticeCommands(parts), ...run }
    }
    return {
      clock,
      read,
      write,
      shop,
      owner,
      looking,
      commandsWith,
      commands: commandsWith(privateTargets),
    }
  }

  before(async () => {
    hook = await openHook()
    house = await aHouse(true)
  })
  after(async () => {
    await house.read.close()
    await house.write.close()
    await hook.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('lets nobody change anything who may only look', async () => {
    const { commands, looking, shop } = house
    for (const answer of [
      await commands.run('setNotices', looking, {
        project: shop,
        change: { mail: false, quietHours: 1 },
      }),
      await commands.run('setWebhook', looking, { project: shop, url: hook.url() }),
      await commands.run('renewWebhookSecret', looking, shop),
      await commands.run('removeWebhook', looking, shop),
      await commands.testNotice(looking, { project: shop, channel: 'webhook' }),
    ]) {
      assert.equal(answer.ok ? 'allowed' : answer.code, 'forbidden')
    }
  })

  it('names the field and the rule of quiet hours and addresses that are wrong', async () => {
    const { commands, commandsWith, owner, shop } = house
    for (const quietHours of [-1, 1.5, max('noticeQuietHoursMax') + 1, Number.NaN]) {
      const answer = await commands.run('setNotices', owner, {
        project: shop,
        change: { mail: true, quietHours },
      })
      assert.ok(!answer.ok && answer.fields?.quietHours !== undefined)
    }
    for (const url of ['', 'ftp://example.com', 'https://a:b@example.com/']) {
      const answer = await commands.run('setWebhook', owner, { project: shop, url })
      assert.ok(!answer.ok && answer.fields?.url !== undefined, url)
    }
    const inside = await commandsWith(false).run('setWebhook', owner, {
      project: shop,
      url: hook.url(),
    })
    assert.ok(!inside.ok && /private network/.test(inside.message))
  })

  it('shows the secret of a new webhook and of a renewal, never otherwise', async () => {
    const { commands, owner, shop, read } = house
    const added = value(await commands.run('setWebhook', owner, { project: shop, url: hook.url() }))
    assert.match(added.secret ?? '', /^[\w-]{43}$/)
    const moved = value(await commands.run('setWebhook', owner, { project: shop, url: hook.url('/other') }))
    assert.equal(moved.secret, null)
    const renewed = value(await commands.run('renewWebhookSecret', owner, shop))
    assert.notEqual(renewed.secret, added.secret)
    const audit = JSON.stringify(await read.audit(owner.scope, { limit: 50, before: null }))
    assert.ok(!audit.includes(renewed.secret) && !audit.includes('/other'))
  })

  it('tests honestly, not without end, and says when there is no mail server', async () => {
    const { clock, commands, commandsWith, owner, shop } = house
    const mail = await commands.testNotice(owner, { project: shop, channel: 'mail' })
    assert.match(mail.ok ? '' : mail.message, /No mail server is configured/)
    const sent = value(await commands.testNotice(owner, { project: shop, channel: 'webhook' }))
    assert.deepEqual([sent.sent, sent.says], [true, 'Answered 204.'])
    const refused = value(await commandsWith(false).testNotice(owner, { project: shop, channel: 'webhook' }))
    assert.equal(refused.sent, false)
    assert.match(refused.says, /private network/)
    for (let count = 2; count < max('noticeTestsPerMinute'); count++) {
      value(await commands.testNotice(owner, { project: shop, channel: 'webhook' }))
    }
    const more = await commands.testNotice(owner, { project: shop, channel: 'webhook' })
    assert.equal(more.ok ? 'allowed' : more.code, 'too_many_attempts')
    clock.advance(60_000)
    assert.ok((await commands.testNotice(owner, { project: shop, channel: 'webhook' })).ok)
  })

  it('counts tests that are still on the way', async () => {
    const { clock, commands, owner, shop } = house
    clock.advance(60_000)
    const before = hook.calls.length
    const asked = Array.from({ length: 50 }, () =>
      commands.testNotice(owner, { project: shop, channel: 'webhook' }),
    )
    const answers = await Promise.all(asked)
    assert.equal(answers.filter(({ ok }) => ok).length, max('noticeTestsPerMinute'))
    assert.equal(hook.calls.length - before, max('noticeTestsPerMinute'))
  })
})
