/** What people set about notices, and the tests they send. */
import * as v from 'valibot'
import type { PersonViewer, Viewer } from '#access/viewer.ts'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { NoticeTests } from '#notices/notices.ts'
import type { ClaimedDelivery, Notice, NoticeChannel, NoticesRead, NoticesWrite } from '#ports/notices.ts'
import type { Project } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Asking } from './organisation.ts'
import { actorOf, type CommandParts, refusalOf } from './parts.ts'
import { read } from './schemas.ts'
import type { RequestFacts } from './types.ts'

/** Absent on the command line, which sends nothing. */
export interface NoticeCommandParts {
  readonly read: NoticesRead
  readonly write: NoticesWrite
  readonly tests: NoticeTests
}

export interface NoticeChange {
  readonly mail: boolean
  readonly quietHours: number
}

/** What a test came to: as honest as a sentence can be. */
export interface TestOutcome {
  readonly sent: boolean
  readonly says: string
  /** Whom it went to: a mail address, or the webhook's host. */
  readonly to: string
}

export interface NoticeCommands {
  setNotices(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    change: NoticeChange,
    facts: RequestFacts,
  ): Promise<Result<null>>
  /** The secret is answered when the webhook is new, and never again. */
  setWebhook(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    url: string,
    facts: RequestFacts,
  ): Promise<Result<{ readonly secret: string | null }>>
  /** The old secret signs nothing from then on. */
  renewWebhookSecret(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    facts: RequestFacts,
  ): Promise<Result<{ readonly secret: string }>>
  removeWebhook(
    viewer: Viewer,
    scope: ReadScope,
    project: ProjectId,
    facts: RequestFacts,
  ): Promise<Result<null>>
  /** Sends one now: mail to whoever asks, the webhook to its address. */
  testNotice(
    viewer: PersonViewer,
    scope: ReadScope,
    project: ProjectId,
    channel: NoticeChannel,
    facts: RequestFacts,
  ): Promise<Result<TestOutcome>>
  setNoticeMail(viewer: PersonViewer, mail: boolean, facts: RequestFacts): Promise<Result<null>>
}

const SECRET_BYTES = 32
const KEY_BYTES = 16

const HOURS_RULE = `Whole hours from 0 to ${max('noticeQuietHoursMax')}.`
const CHANGE = v.strictObject({
  mail: v.boolean('On or off: true or false.'),
  quietHours: v.pipe(
    v.number(HOURS_RULE),
    v.integer(HOURS_RULE),
    v.minValue(0, HOURS_RULE),
    v.maxValue(max('noticeQuietHoursMax'), HOURS_RULE),
  ),
})

export function noticeCommands(parts: CommandParts): NoticeCommands {
  return {
    setNotices: (...[viewer, scope, project, change, facts]) =>
      within(parts, { viewer, scope, facts }, project, async ({ write }) => {
        const checked = read(CHANGE, change)
        if (!checked.ok) return checked
        return write.setNotices(scope.orgId, project, checked.value, actorOf(parts, viewer, facts))
      }),
    setWebhook: (...[viewer, scope, project, url, facts]) =>
      within(parts, { viewer, scope, facts }, project, (notices) =>
        setWebhook(parts, { viewer, scope, facts }, { notices, project, url }),
      ),
    renewWebhookSecret: (viewer, scope, project, facts) =>
      within(parts, { viewer, scope, facts }, project, async ({ read: { noticeSettings }, write }) => {
        const { webhook } = await noticeSettings(scope, project)
        if (webhook === null) return noWebhook()
        const secret = parts.random.token(SECRET_BYTES)
        const change = { url: webhook.url, secret }
        const done = await write.setWebhook(scope.orgId, project, change, actorOf(parts, viewer, facts))
        return done.ok ? ok({ secret }) : done
      }),
    removeWebhook: (viewer, scope, project, facts) =>
      within(parts, { viewer, scope, facts }, project, ({ write }) =>
        write.removeWebhook(scope.orgId, project, actorOf(parts, viewer, facts)),
      ),
    testNotice: (...[viewer, scope, project, channel, facts]) =>
      within(parts, { viewer, scope, facts }, project, (notices, found) =>
        testNotice(parts, { viewer, scope, facts }, { notices, project: found, channel }),
      ),
    setNoticeMail: async (viewer, mail, facts) => {
      if (parts.notices === undefined) return noNotices()
      await parts.notices.write.setNoticeMailOf(viewer.user.id, mail, actorOf(parts, viewer, facts))
      return ok(null)
    },
  }
}

/** The permission first, then the project: whoever may not change it learns nothing of whether it exists. */
async function within<T>(
  parts: CommandParts,
  { viewer, scope }: Asking,
  project: ProjectId,
  run: (notices: NoticeCommandParts, found: Project) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(viewer, scope, 'project.write')
  if (refusal !== null) return refusal
  if (parts.notices === undefined) return noNotices()
  const found = await parts.projects.project(scope, String(project))
  return found === null ? refuse('not_found', 'There is no such project.') : run(parts.notices, found)
}

async function setWebhook(
  parts: CommandParts,
  { viewer, scope, facts }: Asking,
  given: { readonly notices: NoticeCommandParts; readonly project: ProjectId; readonly url: string },
): Promise<Result<{ readonly secret: string | null }>> {
  const { notices, project, url } = given
  const checked = notices.tests.webhookUrl(url)
  if (!checked.ok) return refuse('invalid_input', `url: ${checked.rule}`, { url: [checked.rule] })
  const { webhook } = await notices.read.noticeSettings(scope, project)
  const secret = webhook === null ? parts.random.token(SECRET_BYTES) : null
  const change = { url: checked.url.href, ...(secret === null ? {} : { secret }) }
  const actor = actorOf(parts, viewer, facts)
  const done = await notices.write.setWebhook(scope.orgId, project, change, actor)
  return done.ok ? ok({ secret }) : done
}

async function testNotice(
  parts: CommandParts,
  asking: Asking & { readonly viewer: PersonViewer },
  asked: { readonly notices: NoticeCommandParts; readonly project: Project; readonly channel: NoticeChannel },
): Promise<Result<TestOutcome>> {
  const { viewer, scope, facts } = asking
  const { notices, project, channel } = asked
  const to = await receiverOf(viewer, { notices, scope, project: project.id, channel })
  if (!to.ok) return to
  const key = parts.random.hex(KEY_BYTES)
  const begun = await notices.write.beginTest(
    scope.orgId,
    project.id,
    { key, channel, lease: parts.random.hex(KEY_BYTES) },
    actorOf(parts, viewer, facts),
  )
  if (!begun.ok) return begun
  const { id, slug, name } = project
  const notice: Notice = {
    id: 0,
    kind: 'test',
    atMs: parts.clock.now(),
    organisation: scope.orgSlug,
    project: { id, slug, name },
    issue: null,
    rest: null,
  }
  const { outcome, says } = await notices.tests.sendTest({ key, to: to.value, notice })
  const settlement = { state: outcome === 'sent' ? ('sent' as const) : ('failed' as const), says }
  const test = { ...begun.value, channel, settlement }
  await notices.write.settleTest(scope.orgId, id, test, actorOf(parts, viewer, facts))
  const receiver = to.value.channel === 'mail' ? to.value.email : new URL(to.value.url).host
  return ok({ sent: outcome === 'sent', says, to: receiver })
}

async function receiverOf(
  viewer: PersonViewer,
  asked: {
    readonly notices: NoticeCommandParts
    readonly scope: ReadScope
    readonly project: ProjectId
    readonly channel: NoticeChannel
  },
): Promise<Result<ClaimedDelivery['to']>> {
  const { notices, scope, project, channel } = asked
  if (channel === 'mail') {
    if (notices.tests.mailFrom === null) {
      return refuse('conflict', 'This server has no mail server set: --smtp-url and --mail-from.')
    }
    return ok({ channel, email: viewer.user.email, name: viewer.user.name })
  }
  const target = await notices.write.webhookTarget(scope.orgId, project)
  return target === null ? noWebhook() : ok({ channel, ...target })
}

function noWebhook() {
  return refuse('not_found', 'The project has no webhook.')
}

function noNotices() {
  return refuse('conflict', 'This process sends no notices.')
}
