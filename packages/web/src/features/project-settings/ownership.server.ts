import { max } from '@errata/server/limits'
import { object } from 'valibot'
import { seenField, textField, tickField } from '#parts/fields.server.ts'
import { defineAction, longForm } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { seenOwnership } from './seen.server.ts'

const TRIED_CHARS_MAX = 1_000

/** The rules, what is wrong with them, and whom a tried path, address or event belongs to. */
export async function loadOwnership(ctx: LoaderContext) {
  const { engine, scope, params, url } = requireScope(ctx)
  const tried = (url.searchParams.get('try') ?? '').slice(0, TRIED_CHARS_MAX)
  const view = (await engine.queries.ownership(scope, params.project ?? '', tried)) ?? notFound()
  const { name, slug } = view.project
  const { rules, codeOwners, isAutoAssigned, assignsSuspects, problems, cut } = view
  return {
    ...{ org: scope.orgSlug, project: { name, slug }, rules, codeOwners, problems },
    ...{ isAutoAssigned, assignsSuspects, seen: seenOwnership(view) },
    ...{ tried, triedOwners: view.tried, cut, charsMax: max('ownershipCharsMax') },
    codeOwnersCharsMax: max('codeOwnersCharsMax'),
  }
}

export const saveOwnership = longForm(
  defineAction(
    'project.ownership',
    'project.write',
    object({
      rules: textField,
      codeOwners: textField,
      isAutoAssigned: tickField,
      assignsSuspects: tickField,
      seen: seenField,
    }),
    async (ctx, { seen, ...change }) => {
      const { engine, scope, params } = ctx
      const project = (await engine.queries.project(scope, params.project ?? '')) ?? notFound()
      const done = await engine.commands.run('setOwnership', ctx, { project: project.id, change, seen })
      if (!done.ok) return done
      const now = (await engine.queries.ownership(scope, project.slug, '')) ?? notFound()
      return { result: { seen: seenOwnership(now) } }
    },
  ),
)
