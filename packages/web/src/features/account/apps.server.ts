import { tokenId } from '@errata/server/ids'
import { object } from 'valibot'
import { idField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadApps(ctx: LoaderContext) {
  const { engine, viewer } = requireViewer(ctx)
  const connections = await engine.queries.agentConnections(viewer)
  return {
    url: engine.publicAddress.url,
    apps: connections.map(({ id, clientName, organisation, scopes, createdMs, usedMs, endsMs }) => ({
      ...{ id, createdMs, usedMs, endsMs },
      name: clientName,
      organisation: organisation.name,
      mayChange: scopes.includes('event:write'),
    })),
  }
}

export const disconnectApp = defineAction(
  'account.disconnect-app',
  'signed-in',
  object({ app: idField }),
  (ctx, { app }) => ctx.engine.commands.disconnectAgent(ctx, tokenId(app)),
)
