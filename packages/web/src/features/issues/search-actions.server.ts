/** Saving searches, and how somebody has the list. */
import { LIST_COLUMNS } from '@errata/server/queries'
import { refuse } from '@errata/server/result'
import { literal, object, optional, picklist, pipe, regex, string, transform, union } from 'valibot'
import { textField } from '#parts/fields.server.ts'
import { type ChangedPart, changing, defineAction } from '#wire/define-action.ts'
import { requireScope } from '#wire/loader.ts'

/** Searches and preferences stand above the list, and in none of its rows. */
const OWN_LIST: ChangedPart = {
  pages: ['issues', 'issues.timeline'],
  async read(ctx) {
    const { engine, scope } = requireScope(ctx)
    const [searches, preferences] = await Promise.all([
      engine.queries.savedSearches(scope),
      engine.queries.listPreferences(scope),
    ])
    return { searches, preferences }
  },
}

const ID = pipe(string(), regex(/^\d{1,15}$/), transform(Number))

export const saveSearch = changing(
  OWN_LIST,
  defineAction(
    'search.save',
    'search.write',
    object({
      name: textField,
      query: string(),
      sort: picklist(['date', 'new', 'freq', 'user']),
      shared: optional(literal('yes')),
    }),
    async (ctx, { shared, ...search }) => {
      const saved = await ctx.engine.commands.run('createSearch', ctx, {
        ...search,
        isShared: shared === 'yes',
      })
      return saved.ok ? { result: null } : saved
    },
  ),
)

/** Its name, and who has it; what it asks stays. */
export const renameSearch = changing(
  OWN_LIST,
  defineAction(
    'search.rename',
    'search.write',
    object({ id: ID, name: textField, shared: optional(literal('yes')), was: optional(literal('shared')) }),
    async (ctx, { id, name, shared, was }) => {
      const known = (await ctx.engine.queries.savedSearches(ctx.scope)).find((one) => one.id === id)
      if (known === undefined) return refuse('not_found', 'There is no such search.')
      const { query, sort } = known
      // Who only renames leaves alone what somebody else chose meanwhile.
      const isKept = (shared === 'yes') === (was === 'shared')
      const isShared = isKept ? known.isShared : shared === 'yes'
      const changed = await ctx.engine.commands.run('changeSearch', ctx, { id, name, query, sort, isShared })
      return changed.ok ? { result: null } : changed
    },
  ),
)

export const deleteSearch = changing(
  OWN_LIST,
  defineAction('search.delete', 'search.write', object({ id: ID }), (ctx, { id }) =>
    ctx.engine.commands.run('deleteSearch', ctx, id),
  ),
)

/** Changes one setting of the list: its default search, the density, a column. */
export const changeList = changing(
  OWN_LIST,
  defineAction(
    'list.preferences',
    'search.write',
    object({
      search: optional(union([literal('none'), ID])),
      density: optional(picklist(['comfortable', 'compact'])),
      hide: optional(picklist(LIST_COLUMNS)),
      show: optional(picklist(LIST_COLUMNS)),
    }),
    async (ctx, { search, density, hide, show }) => {
      const { hiddenColumns } = await ctx.engine.queries.listPreferences(ctx.scope)
      const shown = hiddenColumns.filter((column) => column !== show && column !== hide)
      return ctx.engine.commands.run('setListPreferences', ctx, {
        ...(search === undefined ? {} : { defaultSearch: search === 'none' ? null : search }),
        ...(density === undefined ? {} : { density }),
        ...(hide === undefined && show === undefined
          ? {}
          : { hiddenColumns: hide === undefined ? shown : [...shown, hide] }),
      })
    },
  ),
)
