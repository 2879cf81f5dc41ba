/** Rows of any dataset, or figures of them: whatever kind an Errata stores, from what the dataset says of its fields. */
import * as v from 'valibot'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { foldedName } from '#model/dataset.ts'
import type { FieldValue } from '#ports/columns.ts'
import type { DatasetColumn, DatasetView } from '#queries/dataset-types.ts'
import { apiRefusal, existing, refuseProblems } from '../api/refusals.ts'
import { CHARS, period, readTimeRange, textArgument, wholeArgument } from './arguments.ts'
import { defineTool, type ToolCall } from './tool.ts'
import { markUntrusted, quotedLine, withinChars } from './untrusted.ts'

const LIMIT_DEFAULT = 20
const STEPS = { '1m': MINUTE_MS, '5m': 5 * MINUTE_MS, '1h': HOUR_MS, '1d': DAY_MS } as const
const DESCRIPTION =
  'Finds or counts stored rows of any dataset (errors, spans, sessions and whatever else this Errata stores). Without a dataset it lists the datasets and their fields. The query is a search line: words, "field:value", "field:>5", "!field:value", "has:field", OR and parentheses; a name that is no field is an attribute. Figures among the fields (count(), count_unique(field), sum(field), avg(field), min(field), max(field), p50(field) to p99(field)) count rows by the fields beside them.'

export const findRows = defineTool({
  name: 'find_rows',
  description: DESCRIPTION,
  input: v.strictObject({
    dataset: v.optional(
      textArgument('Name of a dataset; empty for the list of them with their fields.', 60),
      '',
    ),
    query: v.optional(textArgument('Search line; empty for all rows.'), ''),
    fields: v.optional(
      v.pipe(
        v.array(textArgument('A field, an attribute as tags[key], or a figure.', 250)),
        v.maxLength(30),
        v.description('What to answer of each row; every field by default.'),
      ),
      [],
    ),
    sort: v.optional(
      textArgument(
        'A field, with - before it for the greatest first; the newest rows first by default.',
        250,
      ),
      '',
    ),
    every: v.optional(
      v.pipe(v.picklist(['1m', '5m', '1h', '1d']), v.description('Of figures: one for each step of time.')),
    ),
    project: v.optional(textArgument('Slug of one project; all readable ones by default.', 100)),
    within: period('7d'),
    limit: v.optional(
      wholeArgument('Most rows to answer.', { least: 1, most: max('agentRowsMax') }),
      LIMIT_DEFAULT,
    ),
    chars: CHARS,
  }),
  about: ({ dataset, query }) => [dataset, query].filter((part) => part !== '').join(': '),
  async run(call, input) {
    if (input.dataset === '') return call.queries.datasets().map(datasetText).join('\n')
    refusePeopleFields(call, input.dataset, input.fields)
    const project =
      input.project === undefined ? null : existing(await call.queries.project(call.scope, input.project))
    const asked = {
      ...{ dataset: input.dataset, query: input.query, environments: [] },
      fields: input.fields.length > 0 ? input.fields : shownFields(call, input.dataset),
      projects: project === null ? null : [project.id],
      range: readTimeRange(input.within, call.clock.now()),
    }
    const isOfFigures = input.fields.some((name) => name.endsWith(')'))
    const lines = isOfFigures
      ? await figureLines(call, { ...asked, limit: input.limit, every: input.every })
      : await rowLines(call, { ...asked, sort: input.sort, limit: input.limit })
    if (lines.length === 0) return 'No row matches.'
    return markUntrusted(withinChars([lines.join('\n')], input.chars))
  },
})

/** Users are not passed on to agents. */
function refusePeopleFields({ queries }: ToolCall, name: string, asked: readonly string[]): void {
  const fields = queries.datasets().find((dataset) => dataset.name === name)?.fields ?? []
  const people = new Set(
    fields.flatMap((field) =>
      field.type === 'people' ? [field.name, ...field.aliases].map(foldedName) : [],
    ),
  )
  const isPerson = (name: string) =>
    people.has(foldedName(name)) || IS_PERSON.test(name.replaceAll(/[_-]/g, ''))
  const named = asked.find(isPerson)
  if (named !== undefined)
    throw apiRefusal(
      'invalid_input',
      `${named.slice(0, 60)}: users are not passed on; count_unique(user) counts them.`,
    )
}

const IS_PERSON = /^(?:tags\[)?user(?:\.\w+)?\]?$/i

function shownFields({ queries }: ToolCall, name: string): readonly string[] {
  const dataset = queries.datasets().find((each) => each.name === name)
  return (dataset?.fields ?? []).flatMap((field) => (field.type === 'people' ? [] : [field.name]))
}

function datasetText({ name, fields, hasAttributes }: DatasetView): string {
  const all = fields.map(
    (field) => `${field.name} (${field.values === null ? field.type : field.values.join(', ')})`,
  )
  return `${name}: ${all.join(', ')}${hasAttributes ? '; and attributes by their keys' : ''}`
}

type Asked = Omit<Parameters<ToolCall['queries']['datasetRows']>[1], 'sort' | 'cursor'>

async function rowLines({ queries, scope }: ToolCall, asked: Asked & { readonly sort: string }) {
  const { columns, rows, nextCursor, problems } = await queries.datasetRows(scope, { ...asked, cursor: null })
  refuseProblems(problems)
  const lines = rows.map((row) => row.flatMap((value, at) => cellText(columns[at], value) ?? []).join(' | '))
  return nextCursor === null ? lines : [...lines, `… the first ${rows.length} of more.`]
}

async function figureLines(
  { queries, scope }: ToolCall,
  { every, ...asked }: Asked & { readonly every: keyof typeof STEPS | undefined },
) {
  const stepMs = every === undefined ? null : STEPS[every]
  const startMs = stepMs === null ? asked.range.startMs : Math.floor(asked.range.startMs / stepMs) * stepMs
  const range = { ...asked.range, startMs }
  const { by, figures, groups, problems } = await queries.datasetFigures(scope, { ...asked, range, stepMs })
  refuseProblems(problems)
  const lines = groups
    .slice(0, max('agentRowsMax'))
    .map(({ values, step, figures: told }) =>
      [
        ...(stepMs === null ? [] : [new Date(startMs + step * stepMs).toISOString()]),
        ...by.map(({ name }, at) => `${name}: ${values[at] ?? '(none)'}`),
        ...figures.map((figure, at) => `${figure.name}: ${figureText(figure, told[at] ?? null)}`),
      ].join(' | '),
    )
  if (groups.length <= lines.length) return lines
  return [
    ...lines,
    `… the first ${lines.length} of ${groups.length} figures: ask for longer steps, fewer fields or a shorter time.`,
  ]
}

function figureText({ type }: DatasetColumn, value: number | null): string {
  if (value === null) return '(none)'
  return type === 'date' ? new Date(value).toISOString() : String(Math.round(value * 1_000) / 1_000)
}

/** Left out where there is nothing to say. */
function cellText(column: DatasetColumn | undefined, value: FieldValue): string | null {
  if (column === undefined || value === null || value === '') return null
  const said = Array.isArray(value)
    ? value
        .filter(([key]) => column.type !== 'object' || !IS_PERSON.test(key ?? ''))
        .map((one) => (typeof one === 'string' ? one : one.join('=')))
        .join(', ')
    : String(value)
  return said === '' ? null : `${column.name}: ${quotedLine(said)}`
}
