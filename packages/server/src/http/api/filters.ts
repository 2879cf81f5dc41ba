/** Inbound filters of a project, by the names that Sentry has for them. */
import * as v from 'valibot'
import type { FilterOptions } from '#ports/projects.ts'
import { PROJECT_FILTER } from './answers/organisation.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { picks } from './pick.ts'
import { requireProject } from './projects.ts'
import { badField, existing, grantedOrThrow } from './refusals.ts'

type Switch = 'browserExtensions' | 'localhost' | 'crawlers'

interface KnownFilter {
  readonly id: string
  /** `null`: there is none here, and it is off. */
  readonly option: Switch | null
  readonly name: string
  readonly description: string
}

const FILTERS: readonly KnownFilter[] = [
  {
    ...{ id: 'browser-extensions', option: 'browserExtensions', name: 'Browser extensions' },
    description: 'Failures of extensions in the visitor’s browser.',
  },
  {
    ...{ id: 'localhost', option: 'localhost', name: 'Localhost' },
    description: 'Events of pages and services on the developer’s own machine.',
  },
  {
    ...{ id: 'web-crawlers', option: 'crawlers', name: 'Crawlers' },
    description: 'Events whose user agent is a crawler.',
  },
  {
    ...{ id: 'legacy-browsers', option: null, name: 'Legacy browsers' },
    description: 'Errata has no such filter.',
  },
  {
    ...{ id: 'filtered-transaction', option: null, name: 'Health checks' },
    description: 'Errata has no such filter.',
  },
]

/** Old browsers are named one by one; anything else is on or off. */
const CHANGE = v.object({
  active: v.optional(v.boolean('True or false.')),
  subfilters: v.optional(v.array(v.string('A name.'), 'A list of names.')),
})

export const FILTER_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/filters/',
    permission: 'project.read',
    what: 'inbound filters of a project, in Sentry’s words',
    answer: v.array(PROJECT_FILTER),
    async run(call) {
      const { options } = await requireProject(call)
      return answerOk(FILTERS.map((filter) => filterShape(filter, options.filters)))
    },
  }),
  orgRoute({
    method: 'PUT',
    pattern: '/projects/{org}/{project}/filters/{filter}/',
    permission: 'project.write',
    body: CHANGE,
    answer: v.null(),
    what: 'turns an inbound filter on or off',
    run: changeFilter,
  }),
]

const filterShape = picks(PROJECT_FILTER).from<KnownFilter, FilterOptions>({
  active: ({ option }, filters) => option !== null && filters[option],
  hello: ({ id, name }) => `${id} - ${name}`,
})

async function changeFilter(call: OrgCall) {
  const { id } = await requireProject(call)
  const { option, name } = existing(FILTERS.find((filter) => filter.id === call.params.filter))
  const { active, subfilters } = readBody(CHANGE, await call.json())
  const isOn = active ?? (subfilters === undefined ? undefined : subfilters.length > 0)
  if (isOn === undefined) throw badField('active', 'True or false.')
  if (option === null) {
    if (isOn) throw badField('active', `Errata has no filter “${name}”: it can only be off.`)
    return gone
  }
  const options = { filters: { [option]: isOn } }
  grantedOrThrow(await call.commands.run('updateProject', call, { project: id, change: { options } }))
  return gone
}
