/** Reads whom rows name, and how many name one person. One statement per file. */
import { foldAccents } from '#base/fold-letters.ts'
import { type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { namesPeople, type RowTable } from '#model/fields.ts'
import { byNewest, type FileName } from '#model/file-name.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type { NamedTogether, PeopleAsked, PeopleReads, PersonRows } from '#ports/people.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { ColumnFiles } from './column-files.ts'
import { type FileRows, fromProjects, literalPattern, Parameters } from './conditions.ts'
import type { QuerySlots, RunQuery } from './query-slots.ts'
import { escapeElement, GS, splitListText } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'
import { PEOPLE } from './table-sql.ts'

interface PeopleContext {
  readonly files: ColumnFiles
  readonly query: RunQuery
  readonly scope: ReadScope
  readonly rules: HiddenRules
}

/** The part of people, over files of whatever kind. */
export function peopleReadsOf({
  files,
  slots,
  rules,
}: {
  readonly files: ColumnFiles
  readonly slots: QuerySlots
  readonly rules: { now(): HiddenRules }
}): Omit<PeopleReads, 'personEvents'> {
  const read = <T>(scope: ReadScope, work: (context: PeopleContext) => Promise<T>, forMs?: number) =>
    slots.read((query) => work({ files, query, scope, rules: rules.now() }), { by: scope, timeoutMs: forMs })
  return {
    people: (scope, asked, forMs) => read(scope, (context) => readPeopleNamed(context, asked), forMs),
    personRows: (scope, of) => read(scope, (context) => readPersonRows(context, of)),
  }
}

async function readPeopleNamed(
  context: PeopleContext,
  asked: PeopleAsked,
): Promise<readonly NamedTogether[]> {
  const found: NamedTogether[] = []
  for (const file of knownFiles(context, asked.files)) {
    const rows = await askFileOfPeople(context, file, ({ from, parameters }) => {
      const named = asked.person === undefined ? '' : ` AND ${personNamedSql(asked.person, parameters)}`
      const says = asked.text === undefined ? '' : ` AND ${nameTextSql(asked.text, parameters)}`
      return (
        'SELECT e.project_id, e.people, count(*)::DOUBLE, min(e.timestamp_ms), max(e.timestamp_ms) ' +
        `${from} AND e.people IS NOT NULL${named}${says} GROUP BY 1, 2 ORDER BY 5 DESC LIMIT ${Math.max(1, Math.floor(asked.limit))}`
      )
    })
    for (const [project, people, count, first, last] of rows) {
      found.push({
        ...{
          kind: file.kind,
          projectId: projectId(Number(project)),
          names: splitListText(String(people)),
          rows: Number(count),
        },
        ...{ firstMs: Number(first), lastMs: Number(last) },
      })
    }
  }
  return found.sort((one, other) => other.lastMs - one.lastMs)
}

async function readPersonRows(
  context: PeopleContext,
  { person, files }: { readonly person: string; readonly files: readonly FileName[] },
): Promise<readonly PersonRows[]> {
  const sums = new Map<ProjectId, Omit<PersonRows, 'traces'> & { readonly traces: Set<string> }>()
  for (const file of knownFiles(context, files)) {
    const rows = await askFileOfPeople(context, file, ({ from, parameters, table }) => {
      const hasTrace = columnsOf(table).values.some(({ key }) => key === 'traceId')
      // What is no trace's has none: errors name the trace they happened in.
      const traces = hasTrace ? `list(DISTINCT e.trace_id)[:${max('personTracesMax')}]` : 'NULL'
      return (
        `SELECT e.project_id, count(*)::DOUBLE, min(e.timestamp_ms), max(e.timestamp_ms), ${traces} ` +
        `${from} AND ${personNamedSql(person, parameters)} GROUP BY 1`
      )
    })
    for (const [project, count, first, last, traces] of rows) {
      const id = projectId(Number(project))
      const before = sums.get(id)
      const told = before?.traces ?? new Set<string>()
      if (Array.isArray(traces)) {
        for (const trace of traces)
          if (trace !== null && told.size < max('personTracesMax')) told.add(String(trace))
      }
      sums.set(id, {
        ...{ projectId: id, rows: Number(count) + (before?.rows ?? 0), traces: told },
        firstMs: Math.min(Number(first), before?.firstMs ?? Number.POSITIVE_INFINITY),
        lastMs: Math.max(Number(last), before?.lastMs ?? 0),
      })
    }
  }
  return [...sums.values()].map((sum) => ({ ...sum, traces: sum.traces.size }))
}

function knownFiles({ files, scope }: PeopleContext, named: readonly FileName[]): readonly FileName[] {
  return scope.projects.length === 0 ? [] : named.filter((file) => files.has(file)).sort(byNewest)
}

interface InFile {
  readonly from: string
  readonly parameters: Parameters
  readonly table: RowTable
}

async function askFileOfPeople(
  { files, query, scope, rules }: PeopleContext,
  file: FileName,
  statement: (of: InFile) => string,
): ReturnType<RunQuery> {
  return files.read(file, [], async (attached: FileRows) => {
    if (!namesPeople(attached.table)) return []
    const parameters = new Parameters()
    const from = fromProjects(attached, scope, { filter: {}, parameters, rules, file })
    return query(statement({ from, parameters, table: attached.table }), parameters.values)
  })
}

function personNamedSql(person: string, parameters: Parameters): string {
  return `contains(${PEOPLE}, ${parameters.add(`${GS}${escapeElement(person)}${GS}`)})`
}

/** Within one name and behind its kind: `id:`, `email:` and so on are no part of what people look for. */
function nameTextSql(text: string, parameters: Parameters): string {
  const wanted = literalPattern(escapeElement(foldAccents(text)))
  const pattern = `${GS}(?:id|email|username|ip):[^${GS}]*${wanted}`
  return `regexp_matches(strip_accents(lower(${PEOPLE})), ${parameters.add(pattern)})`
}
