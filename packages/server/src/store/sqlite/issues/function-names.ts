/**
 * Issues of a server function that is known by its id alone: an error arrives before the request that says the name. Within
 * the caller's transaction.
 */
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import type { NamedServerFunction } from '../requests/known-route-store.ts'
import { writeTexts } from '../rows/issue-texts.ts'
import type { Stage } from '../stage.ts'

/** Bugs of one function that came before its name. */
const ISSUES_MAX = 100

/** Pattern for a function's id in the JSON of a group's facts, where nothing of it is escaped. */
const BY_ID = /("culprit":"(?:[A-Z]{3,7} )?)\/_serverFn\/([\w-]{1,1000})"/
const MAYBE = '/_serverFn/'

/** A group whose newest event knew the id alone, with the name that is known by now: the same object for any other. */
export function withFunctionName(
  delta: GroupDelta,
  functionOf: (project: ProjectId, id: string) => string | null,
): GroupDelta {
  const { facts, projectId } = delta
  if (!facts.includes(MAYBE)) return delta
  const [all = '', before = '', id] = BY_ID.exec(facts) ?? []
  const route = id === undefined ? null : functionOf(projectId, id)
  return route === null ? delta : { ...delta, facts: facts.replace(all, () => `${before}${route}"`) }
}

interface Called {
  readonly id: IssueId
  readonly title: string
  readonly culprit: string
}

interface NewNames {
  readonly changes: readonly (readonly [IssueId, { readonly before: Called; readonly culprit: string }])[]
}

/** Calls issues by the names of functions, as their next event would. */
export const FUNCTION_NAME_STAGE: Stage<
  readonly NamedServerFunction[],
  readonly (readonly Called[])[],
  NewNames,
  { readonly namedFunctions: readonly NamedServerFunction[] },
  { readonly areRenamed: boolean }
> = {
  name: 'function names',
  pick: ({ namedFunctions }) => (namedFunctions.length === 0 ? null : namedFunctions),
  load: calledBy,
  decide: newNames,
  save(db, { changes }) {
    db.runEach(
      'UPDATE issues SET culprit = ? WHERE id = ?',
      changes.map(([id, { culprit }]) => [culprit, id]),
    )
    writeTexts(
      db,
      changes.map(([id, { before, culprit }]) => ({ id, before, after: { ...before, culprit } })),
    )
    return { areRenamed: changes.length > 0 }
  },
}

function newNames(
  called: readonly (readonly Called[])[],
  functions: readonly NamedServerFunction[],
): NewNames {
  const names = new Map<IssueId, { readonly before: Called; readonly culprit: string }>()
  for (const [at, { route }] of functions.entries())
    for (const before of called[at] ?? []) {
      // The name that came first: a second one finds it called otherwise.
      if (names.has(before.id)) continue
      names.set(before.id, { before, culprit: before.culprit.replace(/\/_serverFn\/\S+$/, () => route) })
    }
  return { changes: [...names] }
}

/** Returns the issues that are called by each function's id. */
function calledBy(db: Connection, functions: readonly NamedServerFunction[]): readonly (readonly Called[])[] {
  // The index of texts, which has those that are searched for: others are called anew by their next event.
  const sql = `SELECT i.id, i.title, i.culprit FROM issue_text t JOIN issues i ON i.id = t.rowid
    WHERE t.text GLOB :pattern AND i.project_id = :project AND i.substatus IS NOT 'waiting' LIMIT ${ISSUES_MAX}`
  // An id is of letters, digits, `_` and `-`.
  const addressOf = ({ id }: NamedServerFunction) => `/_serverFn/${id}`
  const rows = db.allEach<Called>(
    sql,
    functions.map((named) => ({
      pattern: `*${addressOf(named).toLowerCase()}*`,
      project: named.project,
    })),
  )
  return functions.map((named, at) => {
    const address = addressOf(named)
    return (rows[at] ?? []).filter(({ culprit }) => culprit === address || culprit.endsWith(` ${address}`))
  })
}
