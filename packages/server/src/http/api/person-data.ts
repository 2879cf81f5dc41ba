/** Data kept about one person, as a file for the person who asks. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import type { PersonItemData, PersonRow } from '#queries/person-data.ts'
import { PERSON_BY, personKey } from '#queries/person-key.ts'
import { csvText } from '../csv.ts'
import { type ApiRoute, type OrgCall, orgRoute } from './call.ts'
import { fileAnswer, jsonLines } from './export.ts'
import { requireProject } from './projects.ts'
import { choice, words } from './query.ts'
import { apiRefusal } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const BY = choice({ name: 'by', what: 'What the person is named by', of: PERSON_BY, fallback: 'id' })
const PERSON = words('person', 'Their id, email or address', 254)
const FILE = choice({
  name: 'format',
  what: '`jsonl` has the events as they are stored; `csv` what their lists show',
  of: ['jsonl', 'csv'],
  fallback: 'jsonl',
})
const TEXT = words('query', 'A part of an id, email, username or address; nothing: those seen last', 100)
const FOUND = v.object({
  key: v.string(),
  names: v.array(v.string()),
  rows: v.number(),
  lastSeen: v.string(),
  projects: v.array(v.string()),
})
const COLUMNS = ['eventID', 'dateCreated', 'dateReceived', 'title', 'release', 'environment', 'user', 'url']

export const PERSON_DATA_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/person-data/',
    permission: 'person.delete',
    what: 'every event that names one person, the spans of their traces, and rows of every other dataset that name them, as a file',
    query: [BY, PERSON, FILE],
    answer: v.string(),
    run: personFile,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/person-data/',
    permission: 'person.delete',
    what: 'the same over all projects of the organisation that the caller may read, as one file',
    query: [BY, PERSON, FILE],
    answer: v.string(),
    run: personFileOfOrg,
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/people/',
    permission: 'issue.read',
    what: 'affected people whose id, email, username or address has a text, those seen last first',
    query: [TEXT],
    answer: v.object({ people: v.array(FOUND), isComplete: v.boolean() }),
    run: foundPeople,
  }),
]

async function foundPeople({ queries, scope, url }: OrgCall) {
  const [{ people, isComplete }, projects] = await Promise.all([
    queries.peopleFound(scope, { text: TEXT.read(url) }),
    queries.projects(scope),
  ])
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  const found = people.map(({ key, names, rows, lastMs, projects: within }) => ({
    ...{ key, names, rows, lastSeen: isoTimeText(lastMs) },
    projects: within.flatMap((id) => slugs.get(id) ?? []),
  }))
  return { status: 200, body: { people: found, isComplete } }
}

async function personFileOfOrg(call: OrgCall) {
  const { queries, commands, scope, url } = call
  const [by, format, person] = [BY.read(url), FILE.read(url), PERSON.read(url)]
  const key = personKey({ by, person })
  if (!key.ok) throw apiRefusal(key.code, key.message)
  const [found, projects] = await Promise.all([
    queries.everyPersonData(scope, key.value),
    queries.projects(scope),
  ])
  if (!found.ok) throw apiRefusal(found.code, found.message)
  const noted = await commands.noteAuditExport(call, { format, asked: `all projects by ${by}`, of: 'person' })
  if (!noted.ok) throw apiRefusal(noted.code, noted.message)
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  return fileAnswer(linesOfAll(found.value, { format, slugOf: (id) => slugs.get(id) ?? String(id) }), {
    name: `person-data-${scope.orgSlug}.${format}`,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
  })
}

async function* linesOfAll(
  pages: AsyncGenerator<readonly (PersonItemData & { readonly projectId: ProjectId })[]>,
  { format, slugOf }: { readonly format: 'jsonl' | 'csv'; readonly slugOf: (project: ProjectId) => string },
) {
  if (format === 'csv') yield csvText([['project', ...COLUMNS]])
  for await (const items of pages) {
    yield format === 'csv'
      ? csvText(items.map((item) => [slugOf(item.projectId), ...personCells(item)]))
      : jsonLines(items.map((item) => ({ project: slugOf(item.projectId), ...personLine(item) })))
  }
}

async function personFile(call: OrgCall) {
  const { queries, commands, scope, url } = call
  const { id, slug } = await requireProject(call)
  const [by, format] = [BY.read(url), FILE.read(url)]
  const found = queries.personData(scope, id, { by, person: PERSON.read(url) })
  if (!found.ok) throw apiRefusal(found.code, found.message)
  const noted = await commands.noteAuditExport(call, { format, asked: `${slug} by ${by}`, of: 'person' })
  if (!noted.ok) throw apiRefusal(noted.code, noted.message)
  return fileAnswer(exportLines(found.value, format), {
    name: `person-data-${slug}.${format}`,
    type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
  })
}

async function* exportLines(pages: AsyncGenerator<readonly PersonItemData[]>, format: 'jsonl' | 'csv') {
  if (format === 'csv') yield csvText([COLUMNS])
  for await (const items of pages)
    yield format === 'csv' ? csvText(items.map(personCells)) : jsonLines(items.map(personLine))
}

function personCells(item: PersonItemData): readonly string[] {
  if ('dataset' in item) return datasetCells(item)
  if ('fragment' in item) {
    const { eventId, timestampMs, receivedMs, name, release, environment, user } = item.fragment
    return [
      ...[eventId, isoTimeText(timestampMs), isoTimeText(receivedMs), name],
      ...[release ?? '', environment ?? '', user ?? '', ''],
    ]
  }
  const { eventId, timestampMs, receivedMs, title, release, environment, user, url } = item.row
  return [
    ...[eventId, isoTimeText(timestampMs), isoTimeText(receivedMs), title],
    ...[release ?? '', environment ?? '', user ?? '', url ?? ''],
  ]
}

/** Cells under the headings of events; the rest of the row goes into the title. */
function datasetCells({ eventId, timestampMs, receivedMs, dataset, people, fields }: PersonRow) {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  const [id, user] = [eventId ?? '', people[0] ?? '']
  const title = `${dataset}: ${JSON.stringify(fields)}`
  const times = [isoTimeText(timestampMs), isoTimeText(receivedMs)]
  return [id, ...times, title, text('release'), text('environment'), user, text('url')]
}

function personLine(item: PersonItemData) {
  if ('dataset' in item) {
    const { eventId, timestampMs, receivedMs, dataset, people, fields } = item
    return {
      ...{ dataset, ...(eventId === null ? {} : { eventID: eventId }) },
      ...{ dateCreated: isoTimeText(timestampMs), dateReceived: isoTimeText(receivedMs), people, fields },
    }
  }
  const { payload } = item
  if ('fragment' in item) {
    const { eventId, traceId, timestampMs, receivedMs, name, people, tags } = item.fragment
    return {
      ...{
        eventID: eventId,
        traceID: traceId,
        dateCreated: isoTimeText(timestampMs),
        dateReceived: isoTimeText(receivedMs),
      },
      ...{ title: name, people, tags: Object.fromEntries(tags), spans: payload },
    }
  }
  const { eventId, timestampMs, receivedMs, title, people, tags } = item.row
  return {
    ...{
      eventID: eventId,
      dateCreated: isoTimeText(timestampMs),
      dateReceived: isoTimeText(receivedMs),
      title,
    },
    ...{ people, tags: Object.fromEntries(tags), event: payload },
  }
}
