/** Tests of mail and webhook, each of which takes its place before it is sent, and who is emailed of notices at all. */
import type { OrgId, ProjectId, UserId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { PROJECT_REFUSALS } from '#model/project-rules.ts'
import { DELIVERIES, NOTICE_MAIL_OFF, NOTICES } from '#model/tables/notices.ts'
import { minuteOfTests, refuseTest, testBegun, timeUnderWay } from '#notices/rules/tests.ts'
import type { Tx } from '#ports/control.ts'
import type { ClaimedDelivery, NoticeChannel, Settlement } from '#ports/notices.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAccountAudit, writeAudit } from './audit-entry.ts'

interface OfProject {
  readonly orgId: OrgId
  readonly project: ProjectId
  readonly actor: Actor
}

type Begun = Pick<ClaimedDelivery, 'id' | 'lease'>

/**
 * Takes a place for a test, which goes out at once; refused beyond the tests of a minute and those on the way. No
 * loop claims it: when nobody settles it before its lease ends, it has failed.
 */
export async function beginTest(
  tx: Tx,
  {
    orgId,
    project: projectId,
    test,
    actor: { atMs },
  }: OfProject & {
    readonly test: Pick<ClaimedDelivery, 'key' | 'lease'> & { readonly channel: NoticeChannel }
  },
): Promise<Result<Begun>> {
  if ((await tx.projects.one(orgId, projectId)) === null) return PROJECT_REFUSALS.noProject()
  const refused = refuseTest(
    await tx.alerts.testsOf(projectId, { minute: minuteOfTests(atMs), underWay: timeUnderWay(atMs) }),
  )
  if (refused !== null) return refused
  const { key, channel, lease } = test
  const notice = { projectId, kind: 'test' as const, isMirror: false, atMs }
  const [noticeId = 0] = await tx.rows(NOTICES).insert([notice])
  const delivery = { noticeId, orgId, projectId, channel, key, ...testBegun(lease, atMs) }
  const [id = 0] = await tx.rows(DELIVERIES).insert([delivery])
  return ok({ id, lease })
}

/** The log keeps what came of it. */
export async function settleTest(
  tx: Tx,
  {
    orgId,
    project,
    test,
    actor,
  }: OfProject & {
    readonly test: Begun & { readonly channel: NoticeChannel; readonly settlement: Settlement }
  },
): Promise<void> {
  const { channel, settlement } = test
  await tx.alerts.settleDelivery(test, settlement, actor.atMs)
  const found = await tx.projects.one(orgId, project)
  if (found === null) return
  const detail = { channel, state: settlement.state }
  await writeAudit(tx, orgId, actor, { action: 'notices.tested', target: found.name, detail })
}

export async function setNoticeMail(
  tx: Tx,
  { user: userId, mail, actor }: { readonly user: UserId; readonly mail: boolean; readonly actor: Actor },
): Promise<void> {
  const rows = tx.rows(NOTICE_MAIL_OFF)
  const isOff = (await rows.one({ userId })) !== null
  if (isOff !== mail) return
  if (mail) await rows.remove({ userId })
  else await rows.insert([{ userId, atMs: actor.atMs }])
  await writeAccountAudit(tx, userId, actor, {
    action: mail ? 'account.mail_switched_on' : 'account.mail_switched_off',
    target: actor.label,
  })
}
