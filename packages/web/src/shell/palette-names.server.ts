/** Everything with a name that a text may mean, beside pages, projects and issues: as far as whoever asks may read it. */

import type { Permission } from '@errata/server/access'
import { max } from '@errata/server/limits'
import { nameParts } from '#parts/person-name.ts'
import { tokenText } from '#parts/search-token.ts'
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
  readonly files: readonly FoundName[]
}

export const NO_NAMES: FoundNames = {
  ...{ releases: [], routes: [], members: [], people: [], mayDeletePeople: false },
  ...{ teams: [], rules: [], channels: [], files: [] },
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

/** Asked at every pause in typing: a few of each kind, read side by side. */
export async function namesFor(org: OrgContext, typed: string): Promise<FoundNames> {
  const text = typed.slice(0, max('findCharsMax'))
  if (text.length < CHARS_MIN || text.includes('\n')) return NO_NAMES
  const { engine, viewer, scope } = org
  const { queries } = engine
  const ifMay = async <T>(permission: Permission, find: () => Promise<readonly T[]>) =>
    engine.access.can(viewer, scope, permission) ? (await find()).slice(0, EACH_MAX) : []
  const [releases, routes, members, people, teams, rules, channels, files] = await Promise.all([
    ifMay('release.read', async () => {
      const filter = { projects: null, status: null, environments: [], sort: 'date', text } as const
      return (await queries.releases(scope, filter, { offset: 0, limit: EACH_MAX })).rows
    }),
    ifMay('trace.read', () =>
      queries.traceSuggestions(scope, {
        ...{ key: 'route', projects: null },
        prefix: text.startsWith('/') ? text : `/${text}`,
      }),
    ),
    ifMay('member.read', () => queries.members(scope, { text })),
    ifMay(
      'issue.read',
      async () =>
        (
          await queries.peopleFound(scope, {
            text,
            limit: EACH_MAX,
            forMs: isAddress(text) ? ADDRESS_MS : PEOPLE_MS,
          })
        ).people,
    ),
    ifMay('team.read', () => queries.teamNames(scope, { text })),
    ifMay('alert.read', async () =>
      (await queries.alertRules(scope)).filter(({ rule }) => isIn(rule.name, text)),
    ),
    ifMay('channel.read', async () => (await queries.channels(scope)).filter(({ name }) => isIn(name, text))),
    ifMay('issue.read', () => queries.filesInStacks(scope, text)),
  ])
  return {
    mayDeletePeople: engine.access.can(viewer, scope, 'person.delete'),
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
    files: files.map((file) => foundName(searchTerm('stack.filename', file), file)),
  }
}

function foundName(id: string, text: string): FoundName {
  return { id, text }
}

function isIn(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase())
}

function searchTerm(key: string, value: string): string {
  return tokenText({ key, value, negated: false })
}
