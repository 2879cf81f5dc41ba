import { max } from '@errata/server/limits'
import { object } from 'valibot'
import { choiceField, textField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'

/** The project that the address names. */
async function projectOf({ engine, scope, params }: Pick<OrgContext, 'engine' | 'scope' | 'params'>) {
  return (await engine.queries.project(scope, params.project ?? '')) ?? notFound()
}

export async function loadEnvironments(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { name, slug, id } = await projectOf(org)
  const { searchParams } = org.url
  const query = (searchParams.get('query') ?? '').trim().slice(0, max('findCharsMax'))
  const all = await org.engine.queries.environments(org.scope, [id])
  const found = all.filter((row) => row.name.toLowerCase().includes(query.toLowerCase()))
  const limit = max('pageRowsDefault')
  const pages = Math.max(1, Math.ceil(found.length / limit))
  const page = Math.min(Math.max(1, Math.floor(Number(searchParams.get('page')) || 1)), pages)
  const before = (page - 1) * limit
  return {
    ...{ org: org.scope.orgSlug, project: { name, slug }, query, page, pages },
    total: found.length,
    rows: found.slice(before, before + limit),
    /** Rows on the pages before this one. */
    before,
  }
}

export const hideEnvironment = defineAction(
  'environment.hide',
  'project.write',
  object({ name: textField, hidden: choiceField(['yes', 'no']) }),
  async (ctx, { name, hidden }) => {
    const { id } = await projectOf(ctx)
    const change = { project: id, name, isHidden: hidden === 'yes' }
    return ctx.engine.commands.run('hideEnvironment', ctx, change)
  },
)

export const moveEnvironment = defineAction(
  'environment.move',
  'project.write',
  object({ name: textField, to: choiceField(['up', 'down']) }),
  async (ctx, { name, to }) => {
    const { id } = await projectOf(ctx)
    return ctx.engine.commands.run('moveEnvironment', ctx, { project: id, name, to })
  },
)
