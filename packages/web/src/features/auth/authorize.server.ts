/** An app asks to be connected: what for, and the answer. */
import { object } from 'valibot'
import { textField, tickField } from '#parts/fields.server.ts'
import { defineAction, shownOnce } from '#wire/define-action.ts'
import { requireViewer } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'

export async function loadAuthorize(ctx: LoaderContext) {
  const { engine, viewer, url } = requireViewer(ctx)
  const asked = await engine.queries.agentAsk(url.searchParams)
  if (asked.kind === 'stopped') return { kind: 'refused' as const, message: asked.message, back: null }
  const { kind, place } = asked
  if (kind === 'wrong')
    return { kind: 'refused' as const, message: asked.message, back: { place, address: asked.address } }
  const { ask, deniedAddress } = asked
  const organisations = viewer.memberships.map(({ organisation: { slug, name } }) => ({ slug, name }))
  const last = viewer.memberships.find(({ organisation }) => organisation.id === viewer.user.orgIdLast)
  const { clientName, asksChanges } = ask
  return {
    ...{ kind, place, clientName, asksChanges, deniedAddress, organisations },
    initial: last?.organisation.slug ?? organisations[0]?.slug ?? '',
    email: viewer.user.email,
  }
}

/** The address holds a code: it is in the answer to this form alone. */
export const authorizeApp = shownOnce(
  defineAction(
    'app.authorize',
    'signed-in',
    object({ organisation: textField, changes: tickField }),
    (ctx, { organisation, changes }) =>
      ctx.engine.commands.allowAgent(ctx, {
        params: ctx.url.searchParams,
        organisation,
        mayChange: changes,
      }),
  ),
)
