/** Things of features that the palette finds by name: settings by their labels, and what can be made anew. */
import type { Fits } from '#parts/text-match.ts'
import type { NamedTarget } from '#wire/app-tables.ts'
import type { ActionAccess, OrgContext } from '#wire/types.ts'
import type { PaletteEntry } from './palette-groups.server.ts'
import * as tables from './tables.server.ts'

const NAMED = Object.values<{ readonly named?: readonly NamedTarget[] }>(tables).flatMap(
  ({ named = [] }) => named,
)

/** Projects that are looked through, of those already found: not thousands. */
const PROJECTS_MAX = 3
const SHOWN_MAX = 6

interface Asked {
  readonly text: string
  readonly fits: Fits
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
}

/** Returns the settings whose labels fit the text, a label that is the text first. */
export function settingsFor(ctx: OrgContext, { text, fits, projects }: Asked): readonly PaletteEntry[] {
  if (text === '') return []
  const org = ctx.scope.orgSlug
  const settingsOf = (of: NamedTarget['of'], project = '', place: string = of) =>
    NAMED.filter((target) => target.kind === 'setting' && target.of === of && mayOpen(ctx, target)).flatMap(
      ({ names, also, path }) =>
        names.map((name) => ({ name, text: `${name}: ${place}`, also, path: path(org, project) })),
    )
  const all = [
    ...settingsOf('account'),
    ...settingsOf('organisation'),
    ...settingsOf('system'),
    ...projects.slice(0, PROJECTS_MAX).flatMap(({ slug, name }) => settingsOf('project', slug, name)),
  ]
  const isLabel = ({ name }: (typeof all)[number]) => name.toLowerCase() === text.toLowerCase()
  return matching([...all.filter(isLabel), ...all.filter((one) => !isLabel(one))], fits)
}

/** Returns what may be made anew, or pages that are no places, as far as the text names them. */
export function namedFor(
  ctx: OrgContext,
  kind: 'creation' | 'page',
  { text, fits }: Omit<Asked, 'projects'>,
): readonly PaletteEntry[] {
  if (text === '' && kind === 'page') return []
  const open = NAMED.filter((target) => target.kind === kind && mayOpen(ctx, target))
  return matching(
    open.flatMap(({ names, also, path }) =>
      names.map((name) => ({ text: name, also, path: path(ctx.scope.orgSlug, '') })),
    ),
    fits,
  )
}

function mayOpen(
  { engine, viewer, scope }: OrgContext,
  { access }: { readonly access: ActionAccess },
): boolean {
  if (access === 'anyone' || access === 'signed-in') return true
  return access === 'operator' ? viewer.user.isOperator : engine.access.can(viewer, scope, access)
}

function matching(
  pages: readonly (Pick<PaletteEntry, 'text' | 'path'> & { readonly also?: string | undefined })[],
  fits: Fits,
): readonly PaletteEntry[] {
  // A label comes before other words for it, which all the labels of a page share.
  const labelled = pages.filter(({ text }) => fits(text))
  const meant = pages.filter(({ text, also = '' }) => !fits(text) && fits(`${text} ${also}`))
  return [...labelled, ...meant]
    .slice(0, SHOWN_MAX)
    .map(({ text, path }) => ({ text, path, icon: 'menu', note: '' }))
}
