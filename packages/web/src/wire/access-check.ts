/** Whether the viewer may open a page, call a handler or run an action. Asked before anything of it runs. */
import { notFound, refusePage, requireOperator, requireScope, requireViewer } from './loader.ts'
import type { ActionAccess, LoaderContext } from './types.ts'

/**
 * The context with what `access` implies (viewer, scope). Stops with: sign in first; 404 for an organisation the
 * viewer is no member of, or an operator's page; 403 where the role is too small.
 */
export function authorize(ctx: LoaderContext, access: ActionAccess): LoaderContext {
  switch (access) {
    case 'anyone':
      return ctx
    case 'signed-in':
      return requireViewer(ctx)
    case 'operator':
      return requireOperator(ctx)
    default: {
      if (ctx.params.org === undefined) return notFound()
      const inside = requireScope(ctx)
      // Of what a team admin may do to a part of the organisation, the command knows the part.
      const { can, canSomewhere } = ctx.engine.access
      if (can(inside.viewer, inside.scope, access) || canSomewhere(inside.viewer, inside.scope, access))
        return inside
      return refusePage(
        'forbidden',
        'Your role in this organisation does not allow this. An owner can change it.',
      )
    }
  }
}
