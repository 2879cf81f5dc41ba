/** Affected people: who is found, and one of them over all projects. */
import { featureTable } from '#wire/app-tables.ts'
import { peopleFeature } from './feature.ts'
import { answerPeopleFound, deletePersonEverywhere, loadPeople, loadPerson } from './people.server.ts'

export const peopleTable = featureTable({
  routes: peopleFeature.routes,
  loaders: { people: loadPeople, 'people.person': loadPerson },
  actions: [deletePersonEverywhere],
  handlers: [{ path: '/:org/people-found', access: 'issue.read', handle: answerPeopleFound }],
})
