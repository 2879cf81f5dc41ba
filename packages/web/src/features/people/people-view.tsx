/** Affected people: found by a part of their id, email, name or address; else those seen last. */

import type { FoundPerson } from '@errata/server/queries'
import { DocsLink } from '#parts/docs-link.tsx'
import { FindForm } from '#parts/find-form.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { Readable } from '#parts/readable.tsx'
import { TurnOn } from '#parts/turn-on.tsx'
import { useRowKeys } from '#parts/use-row-keys.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Isolated } from '#ui/isolated.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { dateText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadPeople } from './people.server.ts'
import { calledName } from './person-text.ts'

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
  const { people } = data
  const list = useRowKeys()
  return (
    <>
      <p className="mb-2 text-12 text-ink-3">{listNote(data)}</p>
      <div ref={list}>
        <Table caption="People" stacks="columns" className="rows-open [--stack-columns:3]">
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col" className="mid-only stack-none">
                Also known as
              </th>
              <th scope="col" className={tableNum}>
                Errors
              </th>
              <th scope="col" className={tableNum}>
                Requests
              </th>
              <th scope="col" className="stack-none">
                Projects
              </th>
              <th scope="col" className={tableNum}>
                Last seen
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <Row key={person.key} {...{ person, data }} />
            ))}
          </tbody>
        </Table>
      </div>
    </>
  )
}

/** Says what the list and its counts are of. */
function listNote({ people, isComplete, peopleMax, text, fromDay }: PeopleData): string {
  const since = fromDay === null ? '' : `; counts are since ${dateText(fromDay * DAY_MS, 'utc')} (UTC)`
  if (text === '') return `Last seen first${since}`
  const best = people.length < peopleMax ? '' : ', the best matches'
  const skipped = isComplete ? '' : '. Older days were skipped: the search took too long'
  return `${quantityText(people.length, 'person', 'people')}${best}${since}${skipped}.`
}

function Row({ person, data }: { readonly person: FoundPerson; readonly data: PeopleData }) {
  const { kind, name } = nameParts(person.key)
  const called = calledName({ key: person.key, names: person.names.map((one) => ({ name: one, rows: 1 })) })
  const own = called === name ? kind : `${kind} ${name}`
  const others = person.names
    .map((other) => nameParts(other).name)
    .filter((other) => other !== called && other !== name)
  const projects = person.projects.flatMap((id) => data.projects[String(id)] ?? [])
  const within = projects.length > 2 ? quantityText(projects.length, 'project') : projects.join(', ')
  return (
    <tr>
      <th scope="row" className="max-w-80 py-1.5!">
        <PageLink
          to={paths.person(data.org, person.key)}
          prefetch
          className="foreign row-link block truncate font-strong hover:underline"
        >
          {called}
        </PageLink>
        <span className="foreign block truncate text-12 font-normal text-ink-3">
          {own}
          <span className="wide:hidden">
            {others.length === 0 ? '' : ' · '}
            <Isolated texts={others.slice(0, 3)} between=" · " />
          </span>
        </span>
      </th>
      <td className="mid-only stack-none foreign max-w-70 truncate text-ink-2" title={others.join(', ')}>
        <Isolated texts={others.slice(0, 3)} />
      </td>
      <td className={`${tableNum} ${person.errors === 0 ? 'text-ink-3' : 'font-strong text-bad'}`}>
        {numberText(person.errors)}
      </td>
      <td className={tableNum}>{numberText(person.rows - person.errors)}</td>
      <td className="stack-none foreign max-w-50 truncate text-12 text-ink-2">{within}</td>
      <td className={`${tableNum} whitespace-nowrap`}>
        <Time ms={person.lastMs} />
      </td>
    </tr>
  )
}

const DAY_MS = 86_400_000

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
