/** Changes of what a project's notices go by, and of the address that they are sent to. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_REFUSALS, refuseUnseen } from '#model/project-rules.ts'
import { DELIVERIES, NOTICE_SETTINGS } from '#model/tables/notices.ts'
import type { TableRow } from '#model/tables/table.ts'
import { cancelledCall } from '#notices/rules/deliveries.ts'
import { webhookChange } from '#notices/rules/webhook-change.ts'
import type { Tx } from '#ports/control.ts'
import { NOTICE_SETTINGS_DEFAULT, type NoticeSettings } from '#ports/notices.ts'
import type { SeenSettings } from '#ports/projects.ts'
import type { Asking } from './asking.ts'
import { changeFound } from './change-found.ts'
import { preparedCommand } from './command.ts'
import { type CommandParts, knownProject, type NoticeSettingsParts } from './parts.ts'
import { readInput } from './schemas.ts'

type OfProject = { readonly project: ProjectId }
type NoticeChange = OfProject & {
  readonly change: { readonly mail: boolean; readonly quietHours: number }
  /** Values that the form showed: refused with `conflict` if they have changed. */
  readonly seen?: SeenSettings | undefined
}
type NewWebhook = OfProject & {
  readonly url: string
  /** Address that the form showed, `null` if there was none. */
  readonly seen?: SeenSettings | undefined
}
/** Without a secret the one that there is stays. */
type SetWebhook = NewWebhook & { readonly secret?: string }

type Parts = Pick<CommandParts, 'projects' | 'notices' | 'random'>

const SECRET_BYTES = 32

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

export const setNotices = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (given: NoticeChange) => ok(given),
  prepare: async (parts: Parts, asking, { change, ...given }: NoticeChange) => {
    const found = await requireNotices(parts, asking, given)
    if (!found.ok) return found
    const checked = readInput(CHANGE, change)
    return checked.ok ? ok({ ...given, change: checked.value }) : checked
  },
  change: (tx, { project: id, change, seen }: NoticeChange, by) =>
    changeFound(tx, by, {
      find: tx.projects.one(by.scope.orgId, id),
      missing: PROJECT_REFUSALS.noProject,
      change: async ({ name: target }) => {
        const unseen = refuseUnseen(noticeSettings(await readSettingsRow(tx, id)), seen)
        if (unseen !== null) return unseen
        await tx.rows(NOTICE_SETTINGS).merge([{ projectId: id, ...change }])
        return { action: 'notices.changed', target, detail: change }
      },
    }),
})

/** The secret is answered when the webhook is new, and never again. */
export const setWebhook = preparedCommand({
  permission: 'project.write',
  about: ({ project }) => ({ project }),
  input: (given: NewWebhook) => ok(given),
  prepare: async (parts: Parts, asking, { project, url, seen }: NewWebhook): Promise<Result<SetWebhook>> => {
    const found = await requireNotices(parts, asking, { project })
    if (!found.ok) return found
    const notices = found.value
    const checked = notices.tests.webhookUrl(url)
    if (!checked.ok) return refuse('invalid_input', `url: ${checked.rule}`, { url: [checked.rule] })
    const { webhook } = await notices.read.noticeSettings(asking.scope, project)
    const secret = webhook === null ? { secret: parts.random.token(SECRET_BYTES) } : {}
    return ok({ project, url: checked.url.href, ...secret, seen })
  },
  change: async (tx, webhook: SetWebhook, by) => {
    const refused = await putWebhook(tx, webhook, by)
    return refused.ok ? ok({ url: webhook.url, secret: webhook.secret ?? null }) : refused
  },
})

/** The old secret signs nothing from then on. */
export const renewWebhookSecret = preparedCommand({
  permission: 'project.write',
  about: (project) => ({ project }),
  input: (project: ProjectId) => ok({ project }),
  prepare: async (
    parts: Parts,
    asking,
    { project }: OfProject,
  ): Promise<Result<SetWebhook & { readonly secret: string }>> => {
    const found = await requireNotices(parts, asking, { project })
    if (!found.ok) return found
    const { webhook } = await found.value.read.noticeSettings(asking.scope, project)
    if (webhook === null) return PROJECT_REFUSALS.noWebhook()
    return ok({ project, url: webhook.url, secret: parts.random.token(SECRET_BYTES) })
  },
  change: async (tx, webhook: SetWebhook & { readonly secret: string }, by) => {
    const refused = await putWebhook(tx, webhook, by)
    return refused.ok ? ok({ secret: webhook.secret }) : refused
  },
})

/** Deliveries to it that wait or are under way are cancelled: none goes to an address set later. */
export const removeWebhook = preparedCommand({
  permission: 'project.write',
  about: (project) => ({ project }),
  input: (project: ProjectId) => ok({ project }),
  prepare: async (parts: Parts, asking, given: OfProject) => {
    const found = await requireNotices(parts, asking, given)
    return found.ok ? ok(given) : found
  },
  change: (tx, { project: id }: OfProject, by) =>
    changeFound(tx, by, {
      find: tx.projects.one(by.scope.orgId, id),
      missing: PROJECT_REFUSALS.noProject,
      change: async ({ name: target }) => {
        const row = await readSettingsRow(tx, id)
        if (row === null || row.webhookUrl === null) return PROJECT_REFUSALS.noWebhook()
        const none = { webhookUrl: null, webhookSecret: null, webhookChangedMs: null }
        await tx.rows(NOTICE_SETTINGS).update([{ projectId: id, ...none }])
        const calls = await tx.alerts.webhookCalls(id)
        await tx.rows(DELIVERIES).update(
          calls.flatMap(({ id: delivery, state }) => {
            const after = cancelledCall(state, by.actor.atMs)
            return after === null ? [] : [{ id: delivery, ...after }]
          }),
        )
        return { action: 'webhook.removed', target }
      },
    }),
})

async function putWebhook(
  tx: Tx,
  webhook: SetWebhook,
  by: Parameters<typeof setWebhook.change>[2],
): Promise<Result<null>> {
  const { project: projectId, url: webhookUrl } = webhook
  return changeFound(tx, by, {
    find: tx.projects.one(by.scope.orgId, projectId),
    missing: PROJECT_REFUSALS.noProject,
    change: async ({ name: target }) => {
      const row = await readSettingsRow(tx, projectId)
      const change = webhookChange(webhook, webhookTarget(row))
      if (!change.ok) return change
      const { secret: webhookSecret, action, detail } = change.value
      const { mail, quietHours } = noticeSettings(row)
      const address = { webhookUrl, webhookSecret, webhookChangedMs: by.actor.atMs }
      await tx.rows(NOTICE_SETTINGS).merge([{ projectId, mail, quietHours, ...address }])
      return { action, target, detail }
    },
  })
}

type Row = TableRow<typeof NOTICE_SETTINGS>

function readSettingsRow(tx: Tx, projectId: ProjectId): Promise<Row | null> {
  return tx.rows(NOTICE_SETTINGS).one({ projectId })
}

function webhookTarget(row: Row | null) {
  if (row === null || row.webhookUrl === null || row.webhookSecret === null) return null
  return { url: row.webhookUrl, secret: row.webhookSecret }
}

/** Returns the settings as forms show them. */
function noticeSettings(row: Row | null): NoticeSettings {
  if (row === null) return NOTICE_SETTINGS_DEFAULT
  const { mail, quietHours, webhookUrl: url, webhookChangedMs } = row
  return { mail, quietHours, webhook: url === null ? null : { url, changedMs: webhookChangedMs ?? 0 } }
}

/** Returns what sends notices, of a project that is there: whoever may not change it comes not so far. */
async function requireNotices(
  parts: Parts,
  asking: Asking,
  { project }: OfProject,
): Promise<Result<NoticeSettingsParts>> {
  if (parts.notices === undefined) return refuse('conflict', 'This process sends no alerts.')
  const found = await knownProject(parts, asking, { project })
  return found.ok ? ok(parts.notices) : found
}
