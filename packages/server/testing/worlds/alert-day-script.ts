/** Events of the day, chapter by chapter: each leaves the issues of the others alone. */
import type { UserId } from '#base/ids.ts'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { anIssueRule } from '../builders/alert-rule.ts'
import { archivedUntil } from '../builders/archived-until.ts'
import { scopeForTest } from '../builders/scope.ts'
import { changesOf } from '../changes.ts'
import { channelChanges } from '../contract/control/channel-changes.ts'
import { value } from '../contract/control/stores.ts'
import { type AlertDay, HOOK_SECRET, HOOK_URL } from './alert-day.ts'

export async function playDay(day: AlertDay): Promise<void> {
  await begin(day)
  await beginsAndReturns(day)
  await receiverFails(day)
  await bursts(day)
  await mirrors(day)
  await people(day)
  await rulesBeside(day)
  await settings(day)
  await projectGoes(day)
  await dayAfter(day)
}

async function begin(day: AlertDay): Promise<void> {
  const { write, world } = day
  for (const name of ['bob', 'carl', 'dana']) await day.addMember(name)
  value(await write.setWebhook(world.org, world.shop, { url: HOOK_URL, secret: HOOK_SECRET }, day.actor()))
  // The rival's project tells nobody: no mail, no webhook.
  const silent = { mail: false, quietHours: 24 }
  value(await write.setNotices(world.otherOrg, world.otherShop, silent, day.actor()))
  await day.arrive({ group: 'silent', projectId: world.otherShop })
  await day.wait(2)
}

/** New, known, back within the quiet hours, back from the archive. */
async function beginsAndReturns(day: AlertDay): Promise<void> {
  const { write } = day
  await day.arrive({ group: 'first', release: 'shop@2', digests: ['2674428404'], requestKind: 'action' })
  await day.wait(5)
  await day.arrive({ group: 'first' }, { group: 'first', user: 'id:7' })
  await write.resolve(await day.change('SHOP-1'), day.actor())
  await day.wait(10)
  await day.arrive({ group: 'first' })
  await day.wait(5)
  await day.arrive({ group: 'second', culprit: '', level: 'warning' })
  await write.archive(await day.change('SHOP-2'), archivedUntil({ eventsMore: 2 }), day.actor())
  await day.arrive({ group: 'second' })
  await day.arrive({ group: 'second' })
  await day.wait(60)
}

/** 500 twice, then 404; and an answer that comes in the end. */
async function receiverFails(day: AlertDay): Promise<void> {
  day.statuses.push(500, 503, 204)
  await day.arrive({ group: 'slow receiver' })
  await day.wait(10)
  day.statuses.push(404)
  await day.arrive({ group: 'wrong receiver' })
  await day.wait(60)
}

/** Beyond three a minute, beyond twenty an hour, with a summary each hour. */
async function bursts(day: AlertDay): Promise<void> {
  const flood = (from: number, count: number) =>
    day.arrive(...Array.from({ length: count }, (_, at) => ({ group: `flood ${from + at}` })))
  await flood(0, 5)
  await flood(10, 2)
  await day.wait(1)
  await flood(20, 3)
  await day.wait(5)
  for (let minute = 0; minute < 7; minute++) {
    await flood(100 + minute * 10, 3)
    await day.wait(1)
  }
  const { write } = day
  const back = await day.change('SHOP-5')
  value(await write.setNotices(day.world.org, day.world.shop, { mail: true, quietHours: 0 }, day.actor()))
  await write.resolve(back, day.actor())
  await day.wait(1)
  await day.arrive({ group: 'flood 0' })
  value(await write.setNotices(day.world.org, day.world.shop, { mail: true, quietHours: 24 }, day.actor()))
  await day.wait(120)
}

/** Sends mirrors: one that the server’s half takes in, one that stands alone, three of one sibling. */
async function mirrors(day: AlertDay): Promise<void> {
  const { write, clock } = day
  await day.arrive({ group: 'mirror 42', isMirror: true, digests: ['42'] })
  await day.arrive({ group: 'server 42', digests: ['42'] })
  await day.wait(3)
  await write.standAlone(clock.now())
  await day.deliver()
  await day.arrive({ group: 'mirror 77', isMirror: true, digests: ['77'] })
  await day.wait(2)
  await write.standAlone(clock.now())
  await day.deliver()
  await day.wait(60)
}

async function people(day: AlertDay): Promise<void> {
  const { write, world } = day
  const [erin, finn, gwen] = [
    await day.addMember('erin'),
    await day.addMember('finn'),
    await day.addMember('gwen'),
  ]
  await write.setNoticeMailOf(erin, false, day.actor())
  // Told in the morning, in one.
  const nights = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 0, untilMinute: 23 * 60 }
  await write.setPersonQuietHours(finn, nights, day.actor())
  await day.arrive({ group: 'people' })
  await day.wait(60)
  const muted = await day.change('SHOP-1')
  await mute(day, 'SHOP-1', gwen)
  value(await write.setNotices(world.org, world.shop, { mail: true, quietHours: 0 }, day.actor()))
  await write.resolve(muted, day.actor())
  await day.wait(10)
  await day.arrive({ group: 'first' })
  await day.wait(60)
  value(await write.removeMember(world.org, { user: gwen }, day.actor()))
  await write.resolve(muted, day.actor())
  await write.archive(await day.change('SHOP-2'), archivedUntil({ eventsMore: 2 }), day.actor())
  await day.wait(10)
  await day.arrive({ group: 'first' }, { group: 'second' })
  await day.arrive({ group: 'second' })
  value(await write.setNotices(world.org, world.shop, { mail: true, quietHours: 24 }, day.actor()))
  await day.wait(60)
}

async function mute(day: AlertDay, shortId: string, user: UserId): Promise<void> {
  const { ids, orgId, projects } = await day.change(shortId)
  const by = { scope: scopeForTest({ orgId, projects }), actor: { ...day.actor(), userId: user } }
  value(await changesOf(day.write)('muteIssue', { ids, user, isMuted: true }, by))
}

/** Rules that tell the same people of the same: each hears of it once. */
async function rulesBeside(day: AlertDay): Promise<void> {
  const { write, world } = day
  const settings = { url: 'https://hooks.example.com/channel' }
  const made = {
    kind: 'webhook',
    name: 'all new',
    settings: {},
    secrets: { ...settings, secret: HOOK_SECRET },
  } as const
  const channel = value(await channelChanges(write).createChannel(world.org, made, day.actor()))
  const notify = [
    { target: { to: 'members' }, fromLevel: 'warning' },
    { target: { to: 'channel', channelId: channel.id }, fromLevel: 'warning' },
  ] as const
  const rule = async (on: 'new' | 'regressed') =>
    value(await write.createRule(world.org, anIssueRule({ on }, { name: `On ${on}`, notify }), day.actor()))
      .id
  const rules = [await rule('new'), await rule('regressed')]
  await day.arrive({ group: 'beside' })
  await day.wait(10)
  await day.arrive({ group: 'beside the blog', projectId: world.blog })
  await day.wait(60)
  for (const id of rules) value(await write.deleteRule(world.org, id, day.actor()))
}

/** Mail off while it waits to be tried again, a webhook that goes, and one that comes. */
async function settings(day: AlertDay): Promise<void> {
  const { write, world } = day
  day.statuses.push(500)
  await day.arrive({ group: 'webhook goes' })
  value(await write.removeWebhook(world.org, world.shop, day.actor()))
  await day.wait(10)
  value(await write.setNotices(world.org, world.shop, { mail: false, quietHours: 24 }, day.actor()))
  await day.arrive({ group: 'told to nobody' })
  await day.wait(10)
  value(await write.setWebhook(world.org, world.shop, { url: HOOK_URL, secret: HOOK_SECRET }, day.actor()))
  await day.arrive({ group: 'webhook alone' })
  await day.wait(60)
  value(await write.setNotices(world.org, world.shop, { mail: true, quietHours: 24 }, day.actor()))
}

/** A project is deleted while a summary of it waits. */
async function projectGoes(day: AlertDay): Promise<void> {
  const { write, world } = day
  await day.arrive(...Array.from({ length: 6 }, (_, at) => ({ group: `blog ${at}`, projectId: world.blog })))
  value(await write.deleteProject(world.org, world.blog, day.actor()))
  await day.wait(30)
}

/** After the quiet hours a return is told again; what was held for a person comes in one. */
async function dayAfter(day: AlertDay): Promise<void> {
  const { write } = day
  await write.resolve(await day.change('SHOP-2'), day.actor())
  day.clock.advance(24 * 60 * 60_000)
  await day.deliver()
  await day.arrive({ group: 'second' })
  await day.wait(10)
  await write.archive(
    await day.change('SHOP-3'),
    archivedUntil({ atMs: day.clock.now() + 600_000 }),
    day.actor(),
  )
  await day.wait(12)
  await write.unarchiveDue(day.clock.now())
  await day.arrive({ group: 'slow receiver' })
  await day.wait(10)
}
