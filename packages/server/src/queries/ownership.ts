/** Reads ownership: rules with their problems, and the owners they suggest. */
import { readEventId } from '#base/ids.ts'
import { type OwnerDirectory, ownershipProblems } from '#issues/ownership/owners.ts'
import type { NormalizedEvent } from '#model/event.ts'
import type { AccountsRead } from '#ports/accounts.ts'
import type { Assignee } from '#ports/issues.ts'
import type { Ownership, OwnershipFacts, OwnershipProblem } from '#ports/ownership.ts'
import type { Project, ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import { assignable } from './assignable.ts'

/** An owner as people know it, and the rule that says so. */
export interface NamedOwner {
  readonly owner: Assignee
  /** A name, an email or `#team`. */
  readonly name: string
  readonly rule: string
}

export interface OwnershipView extends Ownership {
  readonly project: Project
  readonly problems: {
    readonly rules: readonly OwnershipProblem[]
    readonly codeOwners: readonly OwnershipProblem[]
  }
  /** Owners of a path, address or event to try; `null` if none was given, or there is no such event. */
  readonly tried: NamedOwners | null
}

export interface NamedOwners {
  readonly owners: readonly NamedOwner[]
  /** The rules took more steps than one event may: owners may be missing. */
  readonly isCut: boolean
}

interface OwnershipQueries {
  ownership(scope: ReadScope, project: string, tried?: string): Promise<OwnershipView | null>
  /** Returns the owners that the project's rules name for an event. */
  ownersOfEvent(scope: ReadScope, project: Project, event: NormalizedEvent): Promise<NamedOwners>
}

interface Parts {
  readonly accounts: Pick<AccountsRead, 'members' | 'teams'>
  readonly projects: Pick<ProjectsRead, 'project' | 'ownership' | 'ownersByRules'>
  readonly eventOf: (scope: ReadScope, project: string, id: string) => Promise<NormalizedEvent | null>
}

export function ownershipQueries(parts: Parts): OwnershipQueries {
  const ownersOf = async (
    scope: ReadScope,
    project: Project,
    facts: OwnershipFacts,
  ): Promise<NamedOwners> => {
    const { owners, isCut } = await parts.projects.ownersByRules(scope, project.id, facts)
    if (owners.length === 0) return { owners: [], isCut }
    const directory = await ownerDirectory(parts.accounts, scope, project)
    return {
      owners: owners.map(({ owner, rule }) => ({ owner, rule, name: ownerName(owner, directory) })),
      isCut,
    }
  }
  return {
    async ownership(scope, ref, tried = '') {
      const project = await parts.projects.project(scope, ref)
      if (project === null) return null
      const [ownership, directory] = await Promise.all([
        parts.projects.ownership(scope, project.id),
        ownerDirectory(parts.accounts, scope, project),
      ])
      const facts = await factsOfTried(parts, scope, { project, tried: tried.trim() })
      return {
        ...ownership,
        project,
        problems: {
          rules: ownershipProblems(ownership.rules, 'rules', directory),
          codeOwners: ownershipProblems(ownership.codeOwners, 'codeowners', directory),
        },
        tried: facts === null ? null : await ownersOf(scope, project, facts),
      }
    },
    ownersOfEvent: (scope, project, event) => ownersOf(scope, project, ownershipFacts(event, project)),
  }
}

/** People who can read the project, teams that open it. */
export async function ownerDirectory(
  accounts: Pick<AccountsRead, 'members' | 'teams'>,
  scope: ReadScope,
  project: Project,
): Promise<OwnerDirectory> {
  const [members, teams] = await Promise.all([accounts.members(scope), accounts.teams(scope)])
  return {
    people: assignable(members, project),
    teams: teams.filter(({ projects }) => projects.includes(project.id)),
  }
}

function ownerName(owner: Assignee, { people, teams }: OwnerDirectory): string {
  if (typeof owner === 'object') return `#${teams.find(({ id }) => id === owner.team)?.slug ?? owner.team}`
  const person = people.find(({ userId }) => userId === owner)
  return person?.name || person?.email || String(owner)
}

const NOTHING: OwnershipFacts = { paths: [], modules: [], url: null, tags: [], codeMappings: [] }

/** An event's id, an address, or a path. */
async function factsOfTried(
  { eventOf }: Parts,
  scope: ReadScope,
  { project, tried }: { readonly project: Project; readonly tried: string },
): Promise<OwnershipFacts | null> {
  if (tried === '') return null
  if (readEventId(tried) !== null) {
    const event = await eventOf(scope, project.slug, tried)
    return event === null ? null : ownershipFacts(event, project)
  }
  if (/^https?:\/\//i.test(tried)) return { ...NOTHING, url: tried }
  return { ...NOTHING, paths: [tried], modules: [tried], codeMappings: project.options.codeMappings }
}

/** Frames of every exception, those nearest to the failure first. */
function ownershipFacts({ exception, request, tags }: NormalizedEvent, { options }: Project): OwnershipFacts {
  const frames = (exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace?.frames ?? []).reverse()
  const own = frames.filter(({ in_app }) => in_app !== false)
  const texts = (pick: (frame: (typeof frames)[number]) => string | undefined) => [
    ...new Set(own.map(pick).filter((text) => text !== undefined)),
  ]
  return {
    paths: [...texts(({ filename }) => filename), ...texts(({ abs_path }) => abs_path)],
    modules: texts(({ module }) => module),
    url: request?.url ?? tags.find(([key]) => key === 'url')?.[1] ?? null,
    tags: tags.map(([key, value]) => ({ key, value })),
    codeMappings: options.codeMappings,
  }
}
