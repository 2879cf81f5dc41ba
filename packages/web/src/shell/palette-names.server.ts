/** Everything with a name that a text may mean, beside pages, projects and issues: as far as whoever asks may read it. */

import type { Permission } from '@errata/server/access'
import { max } from '@errata/server/limits'
import { nameParts } from '#parts/person-name.ts'
import { tokenText } from '#parts/search-token.ts'
import type { Fits } from '#parts/text-match.ts'
import type { OrgContext } from '#wire/types.ts'

/** A thing that the palette leads to; `id` as its address names it. */
export interface FoundName {
  readonly id: string
  readonly text: string
  /** Slug of a team, by which its page is found. */
  readonly slug?: string
}

export interface FoundNames {
  readonly releases: readonly FoundName[]
  readonly routes: readonly FoundName[]
  readonly members: readonly FoundName[]
  readonly people: readonly FoundName[]
  /** Whether whoever asks may delete the data of people. */
  readonly mayDeletePeople: boolean
  readonly teams: readonly FoundName[]
  readonly rules: readonly FoundName[]
  readonly channels: readonly FoundName[]
  readonly trackers: readonly FoundName[]
  readonly searches: readonly FoundSearch[]
  readonly environments: readonly FoundName[]
  readonly files: readonly FoundName[]
}

/** Saved search; its id is the address's query. */
interface FoundSearch extends FoundName {
  readonly sort: string
}

export const NO_NAMES: FoundNames = {
  ...{ releases: [], routes: [], members: [], people: [], mayDeletePeople: false },
  ...{ teams: [], rules: [], channels: [], trackers: [], searches: [], environments: [], files: [] },
}

/** Most names of each kind: a palette is a short list. */
const EACH_MAX = 4
/** Fewest characters: one letter names everything. */
const CHARS_MIN = 2
/** Time for looking for affected people while somebody types; older days are left out beyond it. */
const PEOPLE_MS = 300
/** The same for an address of a person: it means little else, so that a busy server may take its time. */
const ADDRESS_MS = 1_500

/** Whether it reads as an email or IPv4 address. */
function isAddress(text: string): boolean {
  return /^\S+@\S+\.\S+$|^\d+\.\d+\.\d+\.\d+$/.test(text)
}

interface Asked {
  readonly text: string
  readonly fits: Fits
  /** Nothing has the text itself: what is near it is asked for, of the names that are few. */
  readonly isNear: boolean
}

/** Asked at every pause in typing: a few of each kind, read side by side. */
export async function namesFor(org: OrgContext, { text: typed, fits, isNear }: Asked): Promise<FoundNames> {
  const text = typed.slice(0, max('findCharsMax'))
  if (text.length < CHARS_MIN || text.includes('\n')) return NO_NAMES
  const { engine, viewer, scope } = org
  const { queries } = engine
  const may = (permission: Permission) => engine.access.can(viewer, scope, permission)
  const ifMay = async <T>(permission: Permission, find: () => Promise<readonly T[]>) =>
    may(permission) ? (await find()).slice(0, EACH_MAX) : []
  const [members, teams, rules, channels, trackers, searches, environments, routes] = await Promise.all([
    ifMay('member.read', () =>
      isNear
        ? nearNames(
            text,
            (asked) => queries.members(scope, asked),
            ({ name, email }) => fits(`${name} ${email}`),
          )
        : queries.members(scope, { text }),
    ),
    ifMay('team.read', () =>
      isNear
        ? nearNames(
            text,
            (asked) => queries.teamNames(scope, asked),
            ({ name, slug }) => fits(`${name} ${slug}`),
          )
        : queries.teamNames(scope, { text }),
    ),
    ifMay('alert.read', async () => (await queries.alertRules(scope)).filter(({ rule }) => fits(rule.name))),
    ifMay('channel.read', async () => (await queries.channels(scope)).filter(({ name }) => fits(name))),
    ifMay('tracker.read', async () => (await queries.trackers(scope)).filter(({ name }) => fits(name))),
    ifMay('issue.read', async () => (await queries.savedSearches(scope)).filter(({ name }) => fits(name))),
    ifMay('issue.read', () => environmentsFor(org, fits)),
    ifMay('trace.read', () =>
      queries.traceSuggestions(scope, { key: 'route', prefix: '', fits, projects: null }),
    ),
  ])
  const [releases, people, files] = isNear ? [[], [], []] : await storedFor(org, text)
  return {
    mayDeletePeople: may('person.delete'),
    releases: releases.map(({ version }) => foundName(version, version)),
    routes: routes.map((one) => foundName(one.text, one.text)),
    members: members.map(({ userId: id, name, email }) =>
      foundName(String(id), name === '' ? email : `${name}, ${email}`),
    ),
    people: people.map(({ key, names }) =>
      foundName(key, [...new Set([key, ...names])].map((name) => nameParts(name).name).join(', ')),
    ),
    teams: teams.map(({ id, slug, name }) => ({ ...foundName(String(id), name), slug })),
    rules: rules.map(({ rule }) => foundName(String(rule.id), rule.name)),
    channels: channels.map(({ id, name }) => foundName(String(id), name)),
    trackers: trackers.map(({ id, name }) => foundName(String(id), name)),
    searches: searches.map(({ name, query, sort }) => ({ ...foundName(query, name), sort })),
    environments: environments.map((name) => foundName(name, name)),
    files: files.map((file) => foundName(searchTerm('stack.filename', file), file)),
  }
}

/**
 * Returns what is near the text among names that may be many: all are looked through while they are few, else those that
 * have the first two letters of each word. What is typed is answered on the thread that answers everybody.
 */
async function nearNames<Named>(
  text: string,
  read: (asked: { readonly text?: string; readonly limit: number }) => Promise<readonly Named[]>,
  isNear: (named: Named) => boolean,
): Promise<readonly Named[]> {
  const limit = max('nearNamesMax')
  const first = await read({ limit })
  if (first.length < limit) return first.filter(isNear)
  const beginnings = text.split(/\s+/).map((word) => word.slice(0, CHARS_MIN))
  return (await read({ text: beginnings.join(' '), limit })).filter(isNear)
}

/** Returns what events brought, of which there may be any number: by the text itself alone. */
function storedFor({ engine, viewer, scope }: OrgContext, text: string) {
  const { queries } = engine
  const ifMay = async <T>(permission: Permission, find: () => Promise<readonly T[]>) =>
    engine.access.can(viewer, scope, permission) ? (await find()).slice(0, EACH_MAX) : []
  return Promise.all([
    ifMay('release.read', async () => {
      const filter = { projects: null, status: null, environments: [], sort: 'date', text } as const
      return (await queries.releases(scope, filter, { offset: 0, limit: EACH_MAX })).rows
    }),
    ifMay('issue.read', async () => {
      const forMs = isAddress(text) ? ADDRESS_MS : PEOPLE_MS
      return (await queries.peopleFound(scope, { text, limit: EACH_MAX, forMs })).people
    }),
    ifMay('issue.read', () => queries.filesInStacks(scope, text)),
  ])
}

/** Returns each name once, however many projects have it. */
async function environmentsFor({ engine, scope }: OrgContext, fits: Fits): Promise<readonly string[]> {
  const all = await engine.queries.environments(scope, null)
  return [...new Set(all.filter(({ isHidden }) => !isHidden).map(({ name }) => name))].filter(fits)
}

function foundName(id: string, text: string): FoundName {
  return { id, text }
}

function searchTerm(key: string, value: string): string {
  return tokenText({ key, value, negated: false })
}
