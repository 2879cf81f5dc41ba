/** Things of features that the palette finds by name: settings by their labels, and what can be made anew. */
import type { NamedTarget } from '#wire/app-tables.ts'
import type { ActionAccess, OrgContext } from '#wire/types.ts'
import type { PaletteEntry } from './palette-groups.server.ts'
import * as tables from './tables.server.ts'

const NAMED = Object.values<{ readonly named?: readonly NamedTarget[] }>(tables).flatMap(
  ({ named = [] }) => named,
)

/** Projects that are looked through, of those already found: not thousands. */
const PROJECTS_MAX = 3
const SHOWN_MAX = 5

interface Asked {
  readonly text: string
  readonly projects: readonly { readonly slug: string; readonly name: string }[]
}

/** Returns the settings whose labels have every word of the text. */
export function settingsFor(ctx: OrgContext, { text, projects }: Asked): readonly PaletteEntry[] {
  if (text === '') return []
  const org = ctx.scope.orgSlug
  const settingsOf = (of: NamedTarget['of'], project = '', place: string = of) =>
    NAMED.filter((target) => target.kind === 'setting' && target.of === of && mayOpen(ctx, target)).flatMap(
      ({ names, also, path }) =>
        names.map((name) => ({ text: `${name}: ${place}`, also, path: path(org, project) })),
    )
  const all = [
    ...settingsOf('account'),
    ...settingsOf('organisation'),
    ...settingsOf('system'),
    ...projects.slice(0, PROJECTS_MAX).flatMap(({ slug, name }) => settingsOf('project', slug, name)),
  ]
  return matching(all, text)
}

/** Returns what may be made anew, or pages that are no places, as far as the text names them. */
export function namedFor(ctx: OrgContext, kind: 'creation' | 'page', text: string): readonly PaletteEntry[] {
  if (text === '' && kind === 'page') return []
  const open = NAMED.filter((target) => target.kind === kind && mayOpen(ctx, target))
  return matching(
    open.flatMap(({ names, also, path }) =>
      names.map((name) => ({ text: name, also, path: path(ctx.scope.orgSlug, '') })),
    ),
    text,
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
  text: string,
): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/)
  return pages
    .filter(({ text: named, also = '' }) =>
      words.every((word) => `${named} ${also}`.toLowerCase().includes(word)),
    )
    .slice(0, SHOWN_MAX)
    .map(({ text: named, path }) => ({ text: named, path, icon: 'menu', note: '' }))
}
