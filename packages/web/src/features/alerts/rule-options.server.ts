/** Options of the rule editor, and the names of what rules refer to by id. */
import { projectId, teamId, userId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import {
  type Channel,
  OWNERS_OTHERWISE,
  type RuleDraft,
  type RuleNames,
  WINDOWS_MINUTES,
} from '@errata/server/queries'
import { choicesOf, chosenNames } from '#parts/choices.server.ts'
import type { Picked } from '#parts/pick-list.tsx'
import { serviceOf } from '#parts/service-name.server.ts'
import type { OrgContext } from '#wire/types.ts'

export type Names = RuleNames & { readonly target: (target: RuleDraft['notify'][number]['target']) => string }

/** Receivers for issues without owners. */
const OTHERWISE = {
  ...{ members: ', or members of the project', active: ', or active members', nobody: '' },
} as const

/** Returns the names of members, teams and channels that rules name by id. */
export async function ruleNames({ engine, scope }: OrgContext, rules: readonly RuleDraft[]): Promise<Names> {
  const named = whomTheyName(rules)
  const [members, teams, channels] = await Promise.all([
    named.people.length === 0 ? [] : engine.queries.members(scope, { ids: named.people }),
    named.teams.length === 0 ? [] : engine.queries.teamNames(scope, { ids: named.teams }),
    engine.queries.channels(scope),
  ])
  const person = (id: number) => {
    const member = members.find(({ userId }) => userId === id)
    return member === undefined ? 'a former member' : member.name || member.email
  }
  return {
    person,
    target(target) {
      if (target.to === 'members') return 'Email members'
      if (target.to === 'assignee') return 'Email assignee'
      if (target.to === 'owners') return `Email code owners${OTHERWISE[target.otherwise]}`
      if (target.to === 'user') return `Email ${person(target.userId)}`
      if (target.to === 'team')
        return `Email ${teams.find(({ id }) => id === target.teamId)?.name ?? 'a team'}`
      const channel = channels.find(({ id }) => id === target.channelId)
      if (channel !== undefined) return channelName(channel)
      return scope.isGuest === true ? 'a channel' : 'a deleted channel'
    },
  }
}

/** `Slack #shop-alerts`: by the service first, as people look for it. */
function channelName({ kind, name }: Pick<Channel, 'kind' | 'name'>): string {
  return `${serviceOf(kind)} ${name}`
}

/** Returns the people whom rules notify, and whose issues they ask for. */
function whomTheyName(rules: readonly RuleDraft[]) {
  const targets = rules.flatMap(({ notify }) => notify.map(({ target }) => target))
  const assignees = rules.flatMap((rule) =>
    rule.if.conditions.flatMap((one) =>
      one.is === 'assignee' && one.userId !== null ? [Number(one.userId)] : [],
    ),
  )
  const people = targets.flatMap((target) => (target.to === 'user' ? [Number(target.userId)] : []))
  const teams = targets.flatMap((target) => (target.to === 'team' ? [Number(target.teamId)] : []))
  return {
    people: [...new Set([...people, ...assignees])].map(userId),
    teams: [...new Set(teams)].map(teamId),
  }
}

/** Returns options of the editor's selects; people and teams are found by typing if there are many. */
export async function optionsOf(org: OrgContext, rule: RuleDraft | null) {
  const { engine, scope } = org
  const named = whomTheyName(rule === null ? [] : [rule])
  const [people, teams, projects, receivers, environments, channels] = await Promise.all([
    chosenNames(org, 'people', named.people),
    chosenNames(org, 'teams', named.teams),
    choicesOf(org, { of: 'projects' }),
    choicesOf(org, { of: 'receivers' }),
    engine.queries.environments(scope, null),
    engine.queries.channels(scope),
  ])
  return {
    ...{ org: scope.orgSlug, projects, receivers },
    environments: [...new Set(environments.map(({ name }) => name))].slice(0, ENVIRONMENTS_MAX),
    /** People and teams that the rule names. */
    named: { people, teams },
    fixed: [
      { value: 'members', label: 'Email members of the project' },
      { value: 'assignee', label: 'Email the assignee' },
      ...OWNERS_OTHERWISE.map((one) => ({
        value: `owners:${one}`,
        label: `Email the code owners${OTHERWISE[one]}`,
      })),
      ...channels.map((channel) => ({ value: `channel:${channel.id}`, label: channelName(channel) })),
    ],
    windows: WINDOWS_MINUTES.map(String),
  }
}

const ENVIRONMENTS_MAX = 100

/** The first of the projects that a rule is of. */
export async function pickedProjects(org: OrgContext, ids: readonly string[]): Promise<Picked> {
  const shown = ids.slice(0, max('choicesMax')).map(Number)
  return { shown: await chosenNames(org, 'projects', shown.map(projectId)), total: ids.length }
}
