import { max } from '@errata/server/limits'
import { object } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { choiceField, textField } from '#parts/fields.server.ts'
import { PAGED, pageOf } from '#parts/paging.server.ts'
import { fitsText } from '#parts/text-match.ts'
import { defineAction } from '#wire/define-action.ts'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { requireProject } from './required-project.server.ts'

export async function loadEnvironments(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { name, slug, id } = await requireProject(org)
  const { query, page: asked } = readAddress(PAGED, org.url.searchParams)
  const all = await org.engine.queries.environments(org.scope, [id])
  const fits = fitsText(query)
  const found = all.filter(({ name }) => fits(name))
  const { rows, page, pages, total } = pageOf(found, asked)
  return {
    ...{ org: org.scope.orgSlug, project: { name, slug }, query, page, pages, total, rows },
    /** Rows on the pages before this one. */
    before: (page - 1) * max('pageRowsDefault'),
  }
}

export const hideEnvironment = defineAction(
  'environment.hide',
  'project.write',
  object({ name: textField, hidden: choiceField(['yes', 'no']) }),
  async (ctx, { name, hidden }) => {
    const { id } = await requireProject(ctx)
    const change = { project: id, name, isHidden: hidden === 'yes' }
    return ctx.engine.commands.run('hideEnvironment', ctx, change)
  },
)

export const moveEnvironment = defineAction(
  'environment.move',
  'project.write',
  object({ name: textField, to: choiceField(['up', 'down']) }),
  async (ctx, { name, to }) => {
    const { id } = await requireProject(ctx)
    return ctx.engine.commands.run('moveEnvironment', ctx, { project: id, name, to })
  },
)
