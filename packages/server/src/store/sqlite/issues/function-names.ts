/**
 * Issues of a server function that is known by its id alone: an error arrives before the request that says the name. Within
 * the caller's transaction.
 */
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import type { NamedServerFunction } from '../requests/known-route-store.ts'
import { IssueTexts } from '../rows/issue-texts.ts'

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

/** Calls issues by the names of functions, as their next event would. Answers whether one was changed. */
export function nameFunctions(db: Connection, functions: readonly NamedServerFunction[]): boolean {
  const texts = new IssueTexts(db)
  let isChanged = false
  for (const named of functions)
    for (const before of calledBy(db, named)) {
      const culprit = before.culprit.replace(/\/_serverFn\/\S+$/, () => named.route)
      db.run('UPDATE issues SET culprit = ? WHERE id = ?', [culprit, before.id])
      texts.change(before.id, { before, after: { ...before, culprit } })
      isChanged = true
    }
  texts.finish()
  return isChanged
}

function calledBy(db: Connection, { project, id }: NamedServerFunction): readonly Called[] {
  // The index of texts, which has those that are searched for: others are called anew by their next event.
  const sql = `SELECT i.id, i.title, i.culprit FROM issue_text t JOIN issues i ON i.id = t.rowid
    WHERE t.text GLOB :pattern AND i.project_id = :project AND i.substatus IS NOT 'waiting' LIMIT ${ISSUES_MAX}`
  // An id is of letters, digits, `_` and `-`.
  const address = `/_serverFn/${id}`
  return db
    .all<Called>(sql, { pattern: `*${address.toLowerCase()}*`, project })
    .filter(({ culprit }) => culprit === address || culprit.endsWith(` ${address}`))
}
