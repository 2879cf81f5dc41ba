/** `project:shop` in a search of events: tools write it there, and it chooses the projects beside the search. */
import type { ProjectId } from '#base/ids.ts'
import type { OrgCall } from './call.ts'
import { chosenProjects } from './params.ts'
import { badField } from './refusals.ts'

const TERM = /^project(?:\.name|\.id|_id)?:(.+)$/s
/** Parts of a search between blanks; what stands in quotes or brackets holds together. */
const PARTS = /(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?|[^\s"[])+/gs

export interface AskedEvents {
  /** Without what chose projects. */
  readonly query: string
  /** Projects of the search that the parameter also chooses; `null` for all. */
  readonly projects: readonly ProjectId[] | null
}

export async function askedProjects(call: OrgCall, query: string): Promise<AskedEvents> {
  const chosen = await chosenProjects(call)
  const parts = query.match(PARTS) ?? []
  const terms = parts.flatMap((part) => TERM.exec(part)?.[1] ?? [])
  if (terms.length === 0) return { query, projects: chosen }
  const rest = parts.filter((part) => !TERM.test(part)).join(' ')
  const named = await Promise.all(terms.map((term) => projectsNamed(call, term)))
  const all = chosen === null ? named : [chosen, ...named]
  const [first = [], ...others] = all
  const projects = first.filter((id) => others.every((each) => each.includes(id)))
  if (projects.length === 0) throw badField('query', 'No project is all of those that are named.')
  return { query: rest, projects }
}

async function projectsNamed({ queries, scope }: OrgCall, term: string): Promise<readonly ProjectId[]> {
  const names = /^\[(.*)\]$/s.exec(term)?.[1]?.split(',') ?? [term]
  const refs = new Set(names.map((name) => name.trim().replace(/^"(.*)"$/s, '$1')))
  return Promise.all(
    [...refs].map(async (ref) => {
      const project = await queries.project(scope, ref)
      if (project === null) throw badField('query', `There is no project "${ref.slice(0, 60)}".`)
      return project.id
    }),
  )
}
