/** Affected people: who is found, and one of them over all projects. */
import { featureTable } from '#wire/app-tables.ts'
import { answerPeopleFound, deletePersonEverywhere, loadPeople, loadPerson } from './people.server.ts'
import { peopleRoutes } from './routes.ts'

export const peopleTable = featureTable({
  routes: peopleRoutes,
  loaders: { people: loadPeople, 'people.person': loadPerson },
  actions: [deletePersonEverywhere],
  handlers: [{ path: '/:org/people-found', access: 'issue.read', handle: answerPeopleFound }],
})
