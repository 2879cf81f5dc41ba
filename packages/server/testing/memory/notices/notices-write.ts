/** What people set about notices, and tests of mail and webhook. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { PROJECT_REFUSALS, refuseUnseen } from '#model/project-rules.ts'
import { cancelledCall } from '#notices/rules/deliveries.ts'
import type { PastTime } from '#notices/rules/past-time.ts'
import { minuteOfTests, refuseTest, testBegun, timeUnderWay } from '#notices/rules/tests.ts'
import { webhookChange } from '#notices/rules/webhook-change.ts'
import type { ClaimedDelivery, NoticesWrite } from '#ports/notices.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { Project } from '#ports/projects.ts'
import type { Actor } from '#ports/scope.ts'
import { writeAccountAudit, writeAudit } from '../rows/audit.ts'
import { projectById } from '../rows/project-rows.ts'
import type { NoticeRow, Tables } from '../tables.ts'
import { insertDelivery, settle, webhookTarget } from './notice-deliveries.ts'
import { insertNotice } from './notice-queue.ts'

export function noticesWrite(to: Tables): NoticesWrite {
  return { ...settingsWrite(to), ...testsWrite(to) }
}

interface Place {
  readonly org: OrgId
  readonly project: ProjectId
}

type TestsWrite = Pick<NoticesWrite, 'beginTest' | 'settleTest'>

/** One transaction on a project of the organisation. */
function onProject<T>(to: Tables, { org, project }: Place, work: (project: Project) => Result<T>): Result<T> {
  return to.transaction(() => {
    const found = projectById(to, org, project)
    return found === null ? PROJECT_REFUSALS.noProject() : work(found)
  })
}

function settingsWrite(to: Tables): Omit<NoticesWrite, keyof TestsWrite> {
  return {
    setNotices: async (org, project, { mail, quietHours, seen }, actor) =>
      onProject(to, { org, project }, ({ name }) => {
        const unseen = refuseUnseen(settingsOf(to, project), seen)
        if (unseen !== null) return unseen
        to.noticeSettings.put(project, { ...settingsOf(to, project), mail, quietHours })
        const detail = { mail, quietHours }
        writeAudit(to, org, actor, { action: 'notices.changed', target: name, detail })
        return ok(null)
      }),
    setWebhook: async (org, project, webhook, actor) =>
      onProject(to, { org, project }, ({ name }) => {
        const change = webhookChange(webhook, webhookTarget(to, project))
        if (!change.ok) return change
        const { secret, action, detail } = change.value
        const set = { url: webhook.url, secret, changedMs: actor.atMs }
        to.noticeSettings.put(project, { ...settingsOf(to, project), webhook: set })
        writeAudit(to, org, actor, { action, target: name, detail })
        return ok(null)
      }),
    removeWebhook: async (org, project, actor) =>
      onProject(to, { org, project }, ({ name }) => {
        if (webhookTarget(to, project) === null) return PROJECT_REFUSALS.noWebhook()
        to.noticeSettings.put(project, { ...settingsOf(to, project), webhook: null })
        cancelCalls(to, project, actor.atMs)
        writeAudit(to, org, actor, { action: 'webhook.removed', target: name })
        return ok(null)
      }),
    webhookTarget: async (org, project) =>
      projectById(to, org, project) === null ? null : webhookTarget(to, project),
    setNoticeMailOf: async (user, mail, actor) =>
      to.transaction(() => {
        if (to.noticeMailOff.has(user) !== mail) return
        if (mail) to.noticeMailOff.delete(user)
        else to.noticeMailOff.put(user, { atMs: actor.atMs })
        const action = mail ? 'account.mail_switched_on' : 'account.mail_switched_off'
        writeAccountAudit(to, user, actor, { action, target: actor.label })
      }),
  }
}

function settingsOf(of: Tables, project: ProjectId) {
  return of.noticeSettings.get(project) ?? { ...NOTICE_SETTINGS_DEFAULT, webhook: null }
}

function cancelCalls(to: Tables, project: ProjectId, nowMs: number): void {
  for (const { id, noticeId, state } of to.deliveries.where(({ channel }) => channel === 'webhook')) {
    if (to.notices.get(noticeId)?.projectId !== project) continue
    const cancelled = cancelledCall(state, nowMs)
    if (cancelled !== null) to.deliveries.change(id, cancelled)
  }
}

function testsWrite(to: Tables): TestsWrite {
  return {
    beginTest: async (...[org, project, test, actor]) =>
      onProject(to, { org, project }, () => beginTest(to, { project, test }, actor)),
    settleTest: async (...[org, project, { channel, settlement, ...claim }, actor]) =>
      to.transaction(() => {
        settle(to, { ...claim, settlement, nowMs: actor.atMs })
        const found = projectById(to, org, project)
        if (found === null) return
        const detail = { channel, state: settlement.state }
        writeAudit(to, org, actor, { action: 'notices.tested', target: found.name, detail })
      }),
  }
}

interface NewTest {
  readonly project: ProjectId
  readonly test: Parameters<NoticesWrite['beginTest']>[2]
}

/** It takes its place before it is sent, so that those under way count. */
function beginTest(
  to: Tables,
  { project, test }: NewTest,
  { atMs: nowMs }: Actor,
): Result<Pick<ClaimedDelivery, 'id' | 'lease'>> {
  const tests = (time: PastTime) =>
    to.notices.where(({ kind, atMs }) => kind === 'test' && atMs > time.afterMs && atMs <= time.untilMs)
  const isUnderWay = ({ id }: NoticeRow) =>
    to.deliveries.find(({ noticeId, state }) => noticeId === id && state === 'sending') !== undefined
  const refused = refuseTest({
    ofMinute: tests(minuteOfTests(nowMs)).filter(({ projectId }) => projectId === project).length,
    underWay: () => tests(timeUnderWay(nowMs)).filter(isUnderWay).length,
  })
  if (refused !== null) return refused
  const noticeId = insertNotice(to, { project, nowMs }, { kind: 'test', dueMs: null })
  const { key, channel, lease } = test
  const id = insertDelivery(to, { ...testBegun(lease, nowMs), noticeId, channel, userId: null, key })
  return ok({ id, lease })
}
