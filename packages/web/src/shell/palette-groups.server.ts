/** Targets of the palette, group by group, as they are shown. Pure. */
import type { PasteTarget } from '@errata/server/queries'
import { paths, withQuery } from '#parts/paths.ts'
import type { IconName } from '#ui/icons.tsx'
import type { FoundDocument } from '#wire/documents.ts'
import { orgSettingsPaths } from '../features/org-settings/paths.ts'
import type { FoundName, FoundNames } from './palette-names.server.ts'

export interface PaletteEntry {
  readonly icon: IconName
  readonly text: string
  readonly note: string
  readonly path: string
}

export interface PaletteGroup {
  readonly name: string
  readonly entries: readonly PaletteEntry[]
}

/** The note of what opens beside the app. */
const DOCS = 'docs'

export interface PaletteFound {
  readonly org: string
  readonly projects: readonly PaletteEntry[]
  readonly issues: readonly { readonly shortId: string; readonly title: string }[]
  readonly names: FoundNames
  /** A deletion or an export is asked for: that of the person comes before their page. */
  readonly isDeletion: boolean
}

export function paletteGroups(found: PaletteFound): readonly PaletteGroup[] {
  return [
    { name: 'Projects', entries: found.projects },
    { name: 'Issues', entries: issueEntries(found) },
    ...nameGroups(found),
  ]
}

function nameGroups(found: PaletteFound): readonly PaletteGroup[] {
  const { names, org } = found
  const group = (
    name: string,
    icon: IconName,
    [named, pathOf]: readonly [readonly FoundName[], (one: FoundName) => string],
  ): PaletteGroup => ({
    name,
    entries: named.map((one) => groupEntry(icon, one.text, pathOf(one))),
  })
  const issuesOf = ({ id }: FoundName) => paths.issues(org, { query: id })
  return [
    {
      name: 'Saved searches',
      entries: names.searches.map(({ id, text, sort }) =>
        groupEntry('bookmark', text, paths.issues(org, { query: id, sort: sort === 'date' ? null : sort })),
      ),
    },
    group('Releases', 'bookmark', [names.releases, ({ id }) => paths.release(org, id)]),
    group('Routes', 'arrow', [names.routes, ({ id }) => paths.performance(org, { text: id })]),
    group('Members', 'person', [
      names.members,
      ({ text }) => withQuery(paths.members(org), { query: text.split(',')[0] }),
    ]),
    { name: 'Affected users', entries: peopleEntries(found) },
    group('Teams', 'people', [names.teams, ({ slug }) => paths.teams(org, { query: slug })]),
    group('Alert rules', 'exclamation', [names.rules, ({ id }) => paths.alertRule(org, Number(id))]),
    group('Channels', 'arrow', [names.channels, ({ id }) => paths.alertChannel(org, Number(id))]),
    group('Issue trackers', 'arrow', [names.trackers, ({ id }) => orgSettingsPaths.tracker(org, Number(id))]),
    group('Environments', 'database', [
      names.environments,
      ({ id }) => paths.issues(org, { environment: id }),
    ]),
    group('Files in stacks', 'document', [names.files, issuesOf]),
  ]
}

/** Offers the deletion as well, where one person alone is found. */
function peopleEntries({ names, org, isDeletion }: PaletteFound): readonly PaletteEntry[] {
  const { people, mayDeletePeople } = names
  const pages = people.map(({ id, text }) => groupEntry('person', text, paths.person(org, id)))
  const [only, another] = people
  if (only === undefined || another !== undefined || !mayDeletePeople) return pages
  const text = `Export or delete data of ${only.text.split(', ')[0]}…`
  const deletion = groupEntry('trash', text, paths.person(org, only.id, { ask: 'delete' }))
  return isDeletion ? [deletion, ...pages] : [...pages, deletion]
}

function issueEntries({ issues, org }: PaletteFound): readonly PaletteEntry[] {
  return issues.map(({ shortId, title }) => ({
    ...groupEntry('exclamation', title, paths.issue(org, shortId)),
    note: shortId,
  }))
}

export function docsEntries(docs: readonly FoundDocument[]): readonly PaletteEntry[] {
  return docs.map(({ heading, page, path }) => ({
    ...groupEntry('document', heading === page ? page : `${page}: ${heading}`, path),
    note: DOCS,
  }))
}

/** The pages of a project that are looked for most. */
export function projectEntries(org: string, slug: string, name: string): readonly PaletteEntry[] {
  const of = (text: string, path: string): PaletteEntry => ({
    ...groupEntry('database', text, path),
    note: 'project',
  })
  return [
    of(name, paths.issues(org, { project: slug })),
    of(`${name}: settings`, paths.projectSettings(org, slug)),
    of(`${name}: client keys (DSN)`, paths.projectKeys(org, slug)),
    of(`${name}: relay for browsers`, paths.projectRelay(org, slug)),
    of(`${name}: data scrubbing and allowed domains`, paths.projectScrubbing(org, slug)),
    of(`${name}: inbound filters`, paths.projectFilters(org, slug)),
    of(`${name}: retention and limits`, paths.projectRetention(org, slug)),
    of(`${name}: snippets and first event`, paths.firstEvent(org, slug)),
  ]
}

export function targetEntries(target: PasteTarget): readonly PaletteEntry[] {
  switch (target.kind) {
    case 'digest': {
      const page = paths.digest(target.digest)
      const found = target.issue
      const own: PaletteEntry = {
        ...groupEntry('document', `Digest page for ${target.digest}`, page),
        note: found === null ? 'not seen' : '',
      }
      if (found === null || target.organisation === null) return [own]
      const path = paths.issue(target.organisation, found.shortId)
      return [{ ...groupEntry('exclamation', found.title, path), note: 'digest' }, own]
    }
    case 'event': {
      const path = paths.issueEvent(target.organisation, target.shortId, target.eventId)
      return [{ ...groupEntry('exclamation', `Event ${target.eventId}`, path), note: target.shortId }]
    }
    case 'trace': {
      const path = paths.trace(target.organisation, target.traceId)
      return [groupEntry('sort', `Trace ${target.traceId}`, path)]
    }
    case 'issue': {
      const path = paths.issue(target.organisation, target.shortId)
      return [{ ...groupEntry('exclamation', target.title, path), note: target.shortId }]
    }
  }
}

function groupEntry(icon: IconName, text: string, path: string): PaletteEntry {
  return { icon, text, path, note: '' }
}
