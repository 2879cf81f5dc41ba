import { max } from '@errata/server/limits'
import type { NoticesView } from '@errata/server/queries'
import { object } from 'valibot'
import { type AddressTable, readAddress } from '#parts/address.ts'
import { choiceField, numberField, seenField, textField, tickField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { notFound, redirectTo, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { requireProject } from './required-project.server.ts'
import { seenNotices, seenWebhook } from './seen.server.ts'

/** The log below the settings: notices before this one. */
const LOG = { before: { type: 'number', first: null } } as const satisfies AddressTable

/** From the address that the page had before. */
export async function leadToProjectAlerts(ctx: LoaderContext): Promise<never> {
  const { engine, scope, params, url } = requireScope(ctx)
  const project = (await engine.queries.project(scope, params.project ?? '')) ?? notFound()
  const { before } = readAddress(LOG, url.searchParams)
  return redirectTo(paths.projectAlerts(scope.orgSlug, project.slug, { before }))
}

const HOURS_HINT = `Whole hours from 0 to ${max('noticeQuietHoursMax')}; 0 sends every alert.`

export async function loadNotices(ctx: LoaderContext) {
  const { engine, viewer, scope, url } = requireScope(ctx)
  const { before } = readAddress(LOG, url.searchParams)
  const ref = ctx.params.project ?? ''
  const view = (await engine.queries.notices(scope, ref, before)) ?? notFound()
  const { project, settings, log, heldBack, mailFrom, privateTargets } = view
  const { webhook } = settings
  const mayWrite = engine.access.can(viewer, scope, 'project.write')
  return {
    org: scope.orgSlug,
    project: { name: project.name, slug: project.slug },
    seen: { notices: seenNotices(settings), webhook: mayWrite ? seenWebhook(webhook?.url ?? null) : '' },
    mail: settings.mail,
    quietHours: settings.quietHours,
    hoursRule: HOURS_HINT,
    // The path of an address may be a secret of its own: who may not change it sees the host.
    webhook:
      webhook === null
        ? null
        : { url: mayWrite ? webhook.url : new URL(webhook.url).host, changedMs: webhook.changedMs },
    // Addresses of other people: for who may change the project.
    log: mayWrite ? log : log.map(withoutReceivers),
    isFirst: before === null,
    // Fewer entries mean that there are no older ones.
    rowsMax: max('noticeLogRows'),
    heldBack,
    mailFrom,
    privateTargets,
    myEmail: viewer.user.email,
    triesMax: max('noticeTriesMax'),
    perHourMax: max('noticesPerHourMax'),
    perMinuteMax: max('noticesPerMinuteMax'),
    days: max('noticeDays'),
  }
}

function withoutReceivers(entry: NoticesView['log'][number]): NoticesView['log'][number] {
  return { ...entry, deliveries: entry.deliveries.map((group) => ({ ...group, receivers: [] })) }
}

export const saveNotices = defineAction(
  'notices.save',
  'project.write',
  object({ mail: tickField, quietHours: numberField, seen: seenField }),
  async (ctx, { seen, ...change }) => {
    const project = await requireProject(ctx)
    const done = await ctx.engine.commands.run('setNotices', ctx, { project: project.id, change, seen })
    return done.ok ? { result: { seen: seenNotices(change) } } : done
  },
)

/** The secret of a new webhook is shown once. */
export const saveWebhook = shownOnce(
  defineAction(
    'notices.webhook',
    'project.write',
    object({ url: textField, seen: seenField }),
    async (ctx, { url, seen }) => {
      const project = await requireProject(ctx)
      const done = await ctx.engine.commands.run('setWebhook', ctx, { project: project.id, url, seen })
      if (!done.ok) return done
      return { result: { secret: done.value.secret, seen: seenWebhook(done.value.url) } }
    },
  ),
)

export const renewWebhookSecret = shownOnce(
  defineAction('notices.webhook-secret', 'project.write', object({}), async (ctx) => {
    const project = await requireProject(ctx)
    return ctx.engine.commands.run('renewWebhookSecret', ctx, project.id)
  }),
)

export const removeWebhook = defineAction(
  'notices.webhook-remove',
  'project.write',
  object({}),
  async (ctx) => {
    const project = await requireProject(ctx)
    return ctx.engine.commands.run('removeWebhook', ctx, project.id)
  },
)

/** Sends a test notice; the result is rendered into the page, without script too. */
export const testNotice = shownOnce(
  defineAction(
    'notices.test',
    'project.write',
    object({ channel: choiceField(['mail', 'webhook']) }),
    async (ctx, { channel }) => {
      const project = await requireProject(ctx)
      return ctx.engine.commands.testNotice(ctx, { project: project.id, channel })
    },
  ),
)
