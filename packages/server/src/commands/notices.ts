/** Commands about notices, and tests of them. */
import * as v from 'valibot'
import type { PersonViewer } from '#access/viewer.ts'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { ClaimedDelivery, Notice, NoticeChannel } from '#ports/notices.ts'
import type { Project, SeenSettings } from '#ports/projects.ts'
import { type Asking, actorOf, type PersonAsking, refusalOf, refuseForeignAccount } from './asking.ts'
import type { CommandParts, NoticeParts } from './parts.ts'
import { read } from './schemas.ts'

export interface NoticeCommands {
  setNotices(asking: Asking, change: NoticeChange): Promise<Result<null>>
  /** The secret is answered when the webhook is new, and never again. */
  setWebhook(asking: Asking, webhook: NewWebhook): Promise<Result<KeptWebhook>>
  /** The old secret signs nothing from then on. */
  renewWebhookSecret(asking: Asking, project: ProjectId): Promise<Result<{ readonly secret: string }>>
  removeWebhook(asking: Asking, project: ProjectId): Promise<Result<null>>
  /** Sends one now: mail to whoever asks, the webhook to its address. */
  testNotice(asking: Asking<PersonViewer>, test: NoticeTest): Promise<Result<TestOutcome>>
  setNoticeMail(asking: PersonAsking, wanted: { readonly mail: boolean }): Promise<Result<null>>
}

interface NoticeChange {
  readonly project: ProjectId
  readonly change: { readonly mail: boolean; readonly quietHours: number }
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}

interface NewWebhook {
  readonly project: ProjectId
  readonly url: string
  /** Address that the form showed, `null` if there was none. */
  readonly seen?: SeenSettings | undefined
}

/** The address as it is kept, and the secret of one that is new. */
interface KeptWebhook {
  readonly url: string
  readonly secret: string | null
}

interface NoticeTest {
  readonly project: ProjectId
  readonly channel: NoticeChannel
}

/** Result of a test, as a sentence. */
interface TestOutcome {
  readonly sent: boolean
  readonly says: string
  /** Receiver: a mail address, or the webhook's host. */
  readonly to: string
}

type NoticeCommandParts = Pick<CommandParts, 'projects' | 'notices' | 'clock' | 'random'>

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

export function noticeCommands(parts: NoticeCommandParts): NoticeCommands {
  return {
    setNotices: (asking, { project, change, seen }) =>
      within(parts, asking, project, async ({ write }) => {
        const checked = read(CHANGE, change)
        if (!checked.ok) return checked
        const given = { ...checked.value, seen }
        return write.setNotices(asking.scope.orgId, project, given, actorOf(parts, asking))
      }),
    setWebhook: (asking, webhook) =>
      within(parts, asking, webhook.project, (notices) => setWebhook(parts, asking, { notices, ...webhook })),
    renewWebhookSecret: (asking, project) =>
      within(parts, asking, project, (notices) => renewSecret(parts, asking, { notices, project })),
    removeWebhook: (asking, project) =>
      within(parts, asking, project, ({ write }) =>
        write.removeWebhook(asking.scope.orgId, project, actorOf(parts, asking)),
      ),
    testNotice: (asking, { project, channel }) =>
      within(parts, asking, project, (notices, found) =>
        testNotice(parts, asking, { notices, project: found, channel }),
      ),
    setNoticeMail: async (asking, { mail }) => {
      const refusal = refuseForeignAccount(asking.viewer)
      if (refusal !== null) return refusal
      if (parts.notices === undefined) return noNotices()
      await parts.notices.write.setNoticeMailOf(asking.viewer.user.id, mail, actorOf(parts, asking))
      return ok(null)
    },
  }
}

/** The permission first, then the project: whoever may not change it learns nothing of whether it exists. */
async function within<T>(
  parts: NoticeCommandParts,
  asking: Asking,
  project: ProjectId,
  run: (notices: NoticeParts, found: Project) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(asking, 'project.write', { project })
  if (refusal !== null) return refusal
  if (parts.notices === undefined) return noNotices()
  const found = await parts.projects.project(asking.scope, String(project))
  return found === null ? refuse('not_found', 'There is no such project.') : run(parts.notices, found)
}

async function setWebhook(
  parts: NoticeCommandParts,
  asking: Asking,
  { notices, project, url, seen }: NewWebhook & { readonly notices: NoticeParts },
): Promise<Result<KeptWebhook>> {
  const { scope } = asking
  const checked = notices.tests.webhookUrl(url)
  if (!checked.ok) return refuse('invalid_input', `url: ${checked.rule}`, { url: [checked.rule] })
  const { webhook } = await notices.read.noticeSettings(scope, project)
  const secret = webhook === null ? parts.random.token(SECRET_BYTES) : null
  const change = {
    url: checked.url.href,
    ...(secret === null ? {} : { secret }),
    seen,
  }
  const done = await notices.write.setWebhook(scope.orgId, project, change, actorOf(parts, asking))
  return done.ok ? ok({ url: change.url, secret }) : done
}

async function renewSecret(
  parts: NoticeCommandParts,
  asking: Asking,
  { notices, project }: { readonly notices: NoticeParts; readonly project: ProjectId },
): Promise<Result<{ readonly secret: string }>> {
  const { scope } = asking
  const { webhook } = await notices.read.noticeSettings(scope, project)
  if (webhook === null) return noWebhook()
  const secret = parts.random.token(SECRET_BYTES)
  const change = { url: webhook.url, secret }
  const done = await notices.write.setWebhook(scope.orgId, project, change, actorOf(parts, asking))
  return done.ok ? ok({ secret }) : done
}

async function testNotice(
  parts: NoticeCommandParts,
  asking: Asking<PersonViewer>,
  asked: { readonly notices: NoticeParts; readonly project: Project; readonly channel: NoticeChannel },
): Promise<Result<TestOutcome>> {
  const { scope } = asking
  const { notices, project, channel } = asked
  const to = await receiverOf(asking, { notices, project: project.id, channel })
  if (!to.ok) return to
  const key = parts.random.hex(KEY_BYTES)
  const begun = await notices.write.beginTest(
    scope.orgId,
    project.id,
    { key, channel, lease: parts.random.hex(KEY_BYTES) },
    actorOf(parts, asking),
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
  await notices.write.settleTest(scope.orgId, id, test, actorOf(parts, asking))
  const receiver = to.value.channel === 'mail' ? to.value.email : new URL(to.value.url).host
  return ok({ sent: outcome === 'sent', says, to: receiver })
}

async function receiverOf(
  { viewer, scope }: Asking<PersonViewer>,
  { notices, project, channel }: NoticeTest & { readonly notices: NoticeParts },
): Promise<Result<ClaimedDelivery['to']>> {
  if (channel === 'mail') {
    if (notices.tests.mailFrom === null) {
      return refuse('conflict', 'No mail server is configured (--smtp-url, --mail-from).')
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
  return refuse('conflict', 'This process sends no alerts.')
}
