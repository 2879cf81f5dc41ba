import { tokenId } from '@errata/server/ids'
import { object } from 'valibot'
import { idField } from '#parts/fields.server.ts'
import { paths } from '#parts/paths.ts'
import { defineAction } from '#wire/define-action.ts'
import { refusePage, requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadApps(ctx: LoaderContext) {
  const { engine, viewer } = requireViewer(ctx)
  const [connections, slack] = await Promise.all([
    engine.queries.agentConnections(viewer),
    engine.queries.slackLinks(viewer),
  ])
  return {
    slack,
    url: engine.publicAddress.url,
    apps: connections.map(({ id, clientName, organisation, scopes, createdMs, usedMs, endsMs }) => ({
      ...{ id, createdMs, usedMs, endsMs },
      name: clientName,
      organisation: organisation.name,
      mayChange: scopes.includes('event:write'),
    })),
  }
}

/** Whoever pressed a button in Slack connects their account, by the link that they were shown there. */
export async function loadConnectSlack(ctx: LoaderContext) {
  const { engine, viewer, url } = requireViewer(ctx)
  const ask = engine.commands.slackAsk(viewer, url.searchParams.get('ticket') ?? '')
  if (ask === null)
    return refusePage(
      'link_expired',
      'This link has expired, or belongs to an organisation you aren’t signed in to. Press the button in Slack again.',
    )
  return { ...ask, email: viewer.user.email }
}

export const connectSlack = defineAction('account.connect-slack', 'signed-in', object({}), async (ctx) => {
  const done = await ctx.engine.commands.linkSlack(ctx, ctx.url.searchParams.get('ticket') ?? '')
  return done.ok ? { redirect: paths.accountApps() } : done
})

export const disconnectSlack = defineAction(
  'account.disconnect-slack',
  'signed-in',
  object({ link: idField }),
  (ctx, { link }) => ctx.engine.commands.unlinkSlack(ctx, link),
)

export const disconnectApp = defineAction(
  'account.disconnect-app',
  'signed-in',
  object({ app: idField }),
  (ctx, { app }) => ctx.engine.commands.disconnectAgent(ctx, tokenId(app)),
)
