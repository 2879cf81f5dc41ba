/** Choices to offer: a few that match, of however many there are. */
import { projectId, teamId, userId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import { requireScope } from '#wire/loader.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import type { Choice, Choices, ChoicesOf, Found } from './choices.ts'
import type { ProjectChoices } from './project-menu.tsx'

const NONE: Found = { projects: [], teams: [], people: [] }

/** Answers what is typed. */
export async function answerChoices(ctx: LoaderContext): Promise<Response> {
  const org = requireScope(ctx)
  const { searchParams } = org.url
  const of = OFFERED.find((each) => each === searchParams.get('of')) ?? 'projects'
  const text = (searchParams.get('q') ?? '').slice(0, max('findCharsMax'))
  const { found } = await findChoices(org, { of, text, project: searchParams.get('project') })
  const heldBy = searchParams.get('heldBy')
  if (heldBy === null) return Response.json(found)
  return Response.json({ ...found, held: await heldOf(org, { of, heldBy, found }) })
}

const OFFERED: readonly ChoicesOf[] = ['projects', 'teams', 'members', 'people', 'assignees', 'receivers']

/** Returns a page's choices: those offered before anything is typed, or for what was typed without script. */
export async function choicesOf(
  org: OrgContext,
  { of, project = null }: { readonly of: ChoicesOf; readonly project?: string | null },
): Promise<Choices> {
  const find = findText(org)
  const { found, isPart } = await findChoices(org, { of, text: find, project })
  // What was typed for another field of the page finds nothing here.
  if (find === '' || found.projects.length + found.teams.length + found.people.length > 0)
    return { ...found, find, isPart: isPart || find !== '' }
  const all = await findChoices(org, { of, text: '', project })
  return { ...all.found, find: '', isPart: all.isPart }
}

/** With those that the page is of. */
export async function projectChoices(org: OrgContext, slugs: readonly string[]): Promise<ProjectChoices> {
  const [choices, chosen] = await Promise.all([
    choicesOf(org, { of: 'projects' }),
    slugs.length === 0 ? [] : projectsNamed(org, { slugs, limit: slugs.length }),
  ])
  return { ...choices, chosen }
}

/** Returns the names of projects that a page mentions. */
export async function namesOfProjects(
  org: OrgContext,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Choice>> {
  const wanted = [...new Set(ids)].map(projectId)
  const named = wanted.length === 0 ? [] : await projectsNamed(org, { ids: wanted, limit: wanted.length })
  return new Map(named.map((each) => [each.id, each]))
}

/** Returns names for ids in a form or page, as far as the viewer may see them; ordered by name. */
export async function chosenNames(
  org: OrgContext,
  of: 'projects' | 'teams' | 'people',
  ids: readonly number[],
): Promise<readonly Choice[]> {
  const { engine, scope } = org
  if (ids.length === 0) return []
  if (of === 'projects') return projectsNamed(org, { ids: ids.map(projectId), limit: ids.length })
  if (of === 'teams')
    return (await engine.queries.teamNames(scope, { ids: ids.map(teamId) })).map(plainChoice)
  return (await engine.queries.members(scope, { ids: ids.map(userId) })).map(personChoice)
}

function findText({ url }: OrgContext): string {
  return (url.searchParams.getAll('find').find((text) => text !== '') ?? '').slice(0, max('findCharsMax'))
}

type NamesAsked = Parameters<OrgContext['engine']['queries']['projectNames']>[1]

async function projectsNamed({ engine, scope }: OrgContext, asked: NamesAsked): Promise<readonly Choice[]> {
  return (await engine.queries.projectNames(scope, asked)).rows.map(plainChoice)
}

/** Returns those whose names have the text; of assignees, those of a project where one is named. */
export async function findChoices(
  org: OrgContext,
  { of, text, project }: { readonly of: ChoicesOf; readonly text: string; readonly project: string | null },
): Promise<{ readonly found: Found; readonly isPart: boolean }> {
  const { engine, scope } = org
  const limit = max('choicesMax')
  if (of === 'projects') {
    const { rows, total } = await engine.queries.projectNames(scope, { text, limit })
    return { found: { ...NONE, projects: rows.map(plainChoice) }, isPart: total > limit }
  }
  const [people, teams] = await Promise.all([
    of === 'teams'
      ? []
      : project === null
        ? engine.queries.members(scope, { text })
        : engine.queries.assignableMembers(scope, project, text),
    of === 'people' || of === 'members'
      ? []
      : project === null
        ? engine.queries.teamNames(scope, { text })
        : engine.queries.assignableTeams(scope, project, text),
  ])
  const named = of === 'members' ? people.filter(({ role }) => role !== 'guest') : people
  const open = of === 'assignees' && project === null ? teams.filter(({ opens }) => opens) : teams
  return {
    found: {
      ...NONE,
      people: named.slice(0, limit).map(personChoice),
      teams: open.slice(0, limit).map(plainChoice),
    },
    isPart: named.length > limit || open.length > limit,
  }
}

const HELD_BY = /^(team|member|rule):([1-9]\d{0,14})$/

/**
 * Returns which of those found a team, a guest or a rule already has; empty for those who may not be seen.
 */
async function heldOf(
  { engine, scope, viewer }: OrgContext,
  { of, heldBy, found }: { readonly of: ChoicesOf; readonly heldBy: string; readonly found: Found },
): Promise<readonly number[]> {
  const [, what = '', number = ''] = HELD_BY.exec(heldBy) ?? []
  const id = Number(number)
  const all = async (): Promise<readonly number[]> => {
    if (what === 'rule' && engine.access.can(viewer, scope, 'alert.read'))
      return (await engine.queries.alertRule(scope, id))?.rule.projects ?? []
    if (what === 'team' && engine.access.can(viewer, scope, 'team.read')) {
      const [team] = await engine.queries.teams(scope, { ids: [teamId(id)] })
      return (of === 'members' ? team?.members : team?.projects) ?? []
    }
    if (what === 'member' && engine.access.can(viewer, scope, 'member.read'))
      return (await engine.queries.members(scope, { ids: [userId(id)] }))[0]?.projects ?? []
    return []
  }
  const offered = new Set([...found.projects, ...found.people].map((each) => each.id))
  return (await all()).filter((each) => offered.has(each))
}

function plainChoice({ id, slug, name }: Choice): Choice {
  return { id, slug, name }
}

function personChoice(person: {
  readonly userId: number
  readonly email: string
  readonly name: string
  readonly mention?: string
}): Choice {
  const { userId: id, email, name, mention } = person
  const shown = { id, slug: email, name: name === '' ? email : name }
  return mention === undefined ? shown : { ...shown, mention }
}
