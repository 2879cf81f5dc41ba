import type { PersonViewer } from '#access/viewer.ts'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import type { ClaimedDelivery, Notice, NoticeChannel } from '#ports/notices.ts'
import type { Project } from '#ports/projects.ts'
import { type Asking, actorOf, type PersonAsking, refusalOf, refuseForeignAccount } from './asking.ts'
import type { Changes } from './changes.ts'
import type { CommandParts, NoticeSettingsParts } from './parts.ts'

interface NoticeCommands {
  /** Sends one now: mail to whoever asks, the webhook to its address. */
  testNotice(asking: Asking<PersonViewer>, test: NoticeTest): Promise<Result<TestOutcome>>
  setNoticeMail(asking: PersonAsking, wanted: { readonly mail: boolean }): Promise<Result<null>>
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

type NoticeCommandParts = Pick<CommandParts, 'projects' | 'notices' | 'clock' | 'random'> & {
  readonly changes: Changes
}

const KEY_BYTES = 16

export function noticeCommands(parts: NoticeCommandParts): NoticeCommands {
  return {
    testNotice: (asking, { project, channel }) =>
      withNotices(parts, asking, project, (notices, found) =>
        testNotice(parts, asking, { notices, project: found, channel }),
      ),
    setNoticeMail: async (asking, { mail }) => {
      const refusal = refuseForeignAccount(asking.viewer)
      if (refusal !== null) return refusal
      if (parts.notices === undefined) return refuseWithoutNotices()
      const user = asking.viewer.user.id
      await parts.changes.own('setNoticeMail', { user, mail, actor: actorOf(parts, asking) })
      return ok(null)
    },
  }
}

/** The permission first, then the project: whoever may not change it learns nothing of whether it exists. */
async function withNotices<T>(
  parts: NoticeCommandParts,
  asking: Asking,
  project: ProjectId,
  run: (notices: NoticeSettingsParts, found: Project) => Promise<Result<T>>,
): Promise<Result<T>> {
  const refusal = refusalOf(asking, 'project.write', { project })
  if (refusal !== null) return refusal
  if (parts.notices === undefined) return refuseWithoutNotices()
  const found = await parts.projects.project(asking.scope, String(project))
  return found === null ? refuse('not_found', 'There is no such project.') : run(parts.notices, found)
}

async function testNotice(
  parts: NoticeCommandParts,
  asking: Asking<PersonViewer>,
  asked: {
    readonly notices: NoticeSettingsParts
    readonly project: Project
    readonly channel: NoticeChannel
  },
): Promise<Result<TestOutcome>> {
  const { scope } = asking
  const { notices, project, channel } = asked
  const to = await testReceiver(asking, { notices, project: project.id, channel })
  if (!to.ok) return to
  const key = parts.random.hex(KEY_BYTES)
  const { orgId } = scope
  const begun = await parts.changes.own('beginTest', {
    ...{ orgId, project: project.id, actor: actorOf(parts, asking) },
    test: { key, channel, lease: parts.random.hex(KEY_BYTES) },
  })
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
  await parts.changes.own('settleTest', { orgId, project: id, test, actor: actorOf(parts, asking) })
  const receiver = to.value.channel === 'mail' ? to.value.email : new URL(to.value.url).host
  return ok({ sent: outcome === 'sent', says, to: receiver })
}

async function testReceiver(
  { viewer, scope }: Asking<PersonViewer>,
  { notices, project, channel }: NoticeTest & { readonly notices: NoticeSettingsParts },
): Promise<Result<ClaimedDelivery['to']>> {
  if (channel === 'mail') {
    if (notices.tests.mailFrom === null) {
      return refuse('conflict', 'No mail server is configured (--smtp-url, --mail-from).')
    }
    return ok({ channel, email: viewer.user.email, name: viewer.user.name })
  }
  const target = await notices.read.webhookTarget(scope, project)
  return target === null ? noWebhook() : ok({ channel, ...target })
}

function noWebhook() {
  return refuse('not_found', 'The project has no webhook.')
}

function refuseWithoutNotices() {
  return refuse('conflict', 'This process sends no alerts.')
}
