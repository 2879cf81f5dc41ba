/** Affected people: found by a part of their id, email, name or address; else those seen last. */
import type { FoundPerson } from '@errata/server/queries'
import { DocsLink } from '#parts/docs-link.tsx'
import { FindForm } from '#parts/find-form.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { Readable } from '#parts/readable.tsx'
import { TurnOn } from '#parts/turn-on.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadPeople } from './people.server.ts'

type PeopleData = Awaited<ReturnType<typeof loadPeople>>

export function PeoplePage() {
  const data = usePageData<typeof loadPeople>()
  return (
    <Page>
      <PageHead title="People">
        People in the events and requests of your projects. Open one to see their errors, sessions and
        requests.
      </PageHead>
      <FindForm
        action={paths.people(data.org)}
        text={data.text}
        label="Find a person"
        placeholder="User ID, email, username or IP address"
        className="mb-4 block max-w-160"
        fieldClass="field touch min-w-0 flex-1"
      >
        <Button type="submit" className="touch">
          Find
        </Button>
      </FindForm>
      <Readable part="people" what="People">
        {data.people.length === 0 ? <Nobody data={data} /> : <List data={data} />}
      </Readable>
    </Page>
  )
}

function List({ data }: { readonly data: PeopleData }) {
  const { people, isComplete, peopleMax, text } = data
  return (
    <>
      <p className="mb-2 text-12 text-ink-3">
        {text === '' ? 'Last seen' : quantityText(people.length, 'person', 'people')}
        {people.length < peopleMax || text === '' ? '' : ', the best matches'}
        {isComplete ? '' : '. Older days were skipped: the search took too long.'}
      </p>
      <ul className="border-t">
        {people.map((person) => (
          <Row key={person.key} {...{ person, data }} />
        ))}
      </ul>
    </>
  )
}

function Row({ person, data }: { readonly person: FoundPerson; readonly data: PeopleData }) {
  const { kind, name } = nameParts(person.key)
  const others = person.names.filter((other) => other !== person.key).map((other) => nameParts(other).name)
  const projects = person.projects.flatMap((id) => data.projects[String(id)] ?? [])
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2 hover:bg-hover">
      <span className="min-w-0">
        <PageLink
          to={paths.person(data.org, person.key)}
          prefetch
          className="foreign row-link block truncate text-14 font-strong hover:underline"
        >
          {name}
        </PageLink>
        <span className="foreign block truncate text-12 text-ink-3">
          {[kind, ...others.slice(0, 3)].join(' · ')}
        </span>
      </span>
      <span className="text-end text-12 text-ink-3">
        <Time ms={person.lastMs} className="num block text-ink-2" />
        <span className="foreign max-phone:hidden">
          {projects.length > 2 ? quantityText(projects.length, 'project') : projects.join(', ')}
        </span>
      </span>
    </li>
  )
}

const SET_USER = { file: 'after sign-in', text: 'Sentry.setUser({ id: user.id })' }

function Nobody({ data: { text, isComplete } }: { readonly data: PeopleData }) {
  if (text === '')
    return (
      <Empty title="No people yet">
        People appear here once your app tells the SDK who is signed in: by ID, email or username.{' '}
        <DocsLink to="privacy#one-person" />
        <TurnOn {...SET_USER} />
      </Empty>
    )
  return (
    <Empty title={`No person matches “${text}”`}>
      {isComplete
        ? 'No ID, email, username or IP address in your projects contains this text.'
        : 'The search took too long and skipped older days. Enter more of the name to search faster.'}
    </Empty>
  )
}
