/** Everything with a name that a text may mean: what has the text in its name; where nothing has, what is near it. */
import { max } from '@errata/server/limits'
import { type Fits, fitsText, nearText } from '#parts/text-match.ts'
import type { OrgContext } from '#wire/types.ts'
import { permissionsOf } from './frame.server.ts'
import { namedFor, settingsFor } from './named-targets.server.ts'
import { type PaletteEntry, projectEntries } from './palette-groups.server.ts'
import { type FoundNames, NO_NAMES, namesFor } from './palette-names.server.ts'
import { shellPlaces } from './places.ts'

interface Named {
  readonly projects: readonly PaletteEntry[]
  readonly names: FoundNames
  readonly settings: readonly PaletteEntry[]
  readonly creations: readonly PaletteEntry[]
  readonly pages: readonly PaletteEntry[]
}

export const NOTHING_NAMED: Named = { projects: [], names: NO_NAMES, settings: [], creations: [], pages: [] }

/** The part of a text before this names a thing, what stands behind it whom or what of it. */
interface Asked {
  readonly text: string
  /** The text without what is to be done: a name alone. */
  readonly name: string
}

export async function namedOrNear(org: OrgContext, asked: Asked): Promise<Named> {
  const places = placesOf(org)
  const fits = fitsText(asked.text)
  const found = await namesIn(org, { ...asked, fits, isNear: false })
  const isTyped = asked.text !== '' && asked.text.length <= max('findCharsMax')
  if (!isTyped || !isNothing(found) || places.some(({ text }) => fits(text))) return found
  const isNear = nearText(asked.text)
  const near = await namesIn(org, { ...asked, fits: isNear, isNear: true })
  return { ...near, pages: [...places.filter(({ text }) => isNear(text)), ...near.pages] }
}

async function namesIn(
  org: OrgContext,
  { text, name, fits, isNear }: Asked & { readonly fits: Fits; readonly isNear: boolean },
): Promise<Named> {
  const nameFits = isNear ? nearText(name) : fitsText(name)
  const [projects, names] = await Promise.all([
    projectsFor(org, text),
    namesFor(org, { text: name, fits: nameFits, isNear }),
  ])
  return {
    projects: projects
      .flatMap((one) => projectEntries(org.scope.orgSlug, one.slug, one.name))
      .filter((entry) => fits(entry.text)),
    names,
    settings: settingsFor(org, { text, fits, projects }),
    creations: namedFor(org, 'creation', { text, fits }),
    pages: namedFor(org, 'page', { text, fits }),
  }
}

function isNothing({ projects, names, settings, creations, pages }: Named): boolean {
  const { mayDeletePeople: _, ...found } = names
  return [projects, settings, creations, pages, ...Object.values(found)].every((each) => each.length === 0)
}

/** Returns places as the palette offers them; the browser knows them, too, by what is typed itself. */
function placesOf({ engine, viewer, scope }: OrgContext): readonly PaletteEntry[] {
  const permissions = permissionsOf(engine, { viewer, scope, about: {} })
  const { isOperator } = viewer.user
  return shellPlaces({ viewer: { isOperator }, org: { slug: scope.orgSlug, permissions } }).map(
    ({ name, path, key }) => ({ icon: 'arrow', text: name, note: key === undefined ? '' : `g ${key}`, path }),
  )
}

/** Returns projects that the text names; then others, whose screens it may name: `relay`, `web: client keys`. */
async function projectsFor({ engine: { queries }, scope }: OrgContext, text: string) {
  const [name = ''] = text.split(':', 1)
  const limit = max('choicesMax')
  const { rows: named } = await queries.projectNames(scope, { text: name, limit })
  if (name === '' || named.length === limit) return named
  const { rows: others } = await queries.projectNames(scope, { limit })
  return [...named, ...others.filter(({ id }) => named.every((one) => one.id !== id))].slice(0, limit)
}
