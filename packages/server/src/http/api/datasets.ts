/** Questions that `events/` and its like answer, in the words of the tools that ask. */
import { byWord } from '#base/by-word.ts'
import type { DatasetView } from '#queries/dataset-types.ts'
import type { OrgCall } from './call.ts'
import type { QueryParameter } from './query.ts'
import { badField } from './refusals.ts'

/** Read by questions of their own; any other dataset by what it says of its fields. */
export type AskedDataset = 'errors' | 'spans' | DatasetView

const SAME: Readonly<Record<string, 'errors' | 'spans'>> = byWord({
  ...{ errors: 'errors', discover: 'errors', spans: 'spans', transactions: 'spans' },
})
/** Names of data sets that are not stored: "no such dataset" would send people looking for their mistake. */
const NOT_STORED: Readonly<Record<string, string>> = byWord({
  ...{ logs: 'Logs', ourlogs: 'Logs', metrics: 'Metrics', tracemetrics: 'Metrics' },
  ...{ metricsEnhanced: 'Metrics', replays: 'Session replays', profiles: 'Profiles' },
  ...{ profile_functions: 'Profiles', uptime_results: 'Uptime checks', issuePlatform: 'Occurrences' },
})

/** Why there is no such dataset; `null` for one that is served. */
export function datasetProblem({ queries }: Pick<OrgCall, 'queries'>, name: string): string | null {
  const known = queries.datasets()
  if (name === '' || SAME[name] !== undefined || isAmongDatasets(known, name)) return null
  const kind = NOT_STORED[name]
  if (kind !== undefined) return `${kind} are not stored by this version: errors or spans.`
  const names = [...new Set([...Object.keys(SAME), ...known.map((each) => each.name)])]
  return `Errata has no ${name.slice(0, 40)}: one of ${names.join(', ')}.`
}

function isDatasetCalled(dataset: DatasetView, name: string): boolean {
  return dataset.name === name || dataset.aliases.includes(name)
}

function isAmongDatasets(known: readonly DatasetView[], name: string): boolean {
  return known.some((each) => isDatasetCalled(each, name))
}

export const DATASET: QueryParameter = {
  ...{ name: 'dataset', what: 'What is asked; discover is errors, transactions are spans' },
  schema: { type: 'string', default: 'errors' },
}

/**
 * Reads which dataset a call asks for.
 * @throws `ApiRefusal` for a dataset that is not served
 */
export function readDataset(call: Pick<OrgCall, 'queries' | 'url'>, fallback = 'errors'): AskedDataset {
  const name = call.url.searchParams.get(DATASET.name) || fallback
  const problem = datasetProblem(call, name)
  if (problem !== null) throw badField(DATASET.name, problem)
  const same = SAME[name]
  if (same !== undefined) return same
  const found = call.queries.datasets().find((each) => isDatasetCalled(each, name))
  if (found === undefined) throw badField(DATASET.name, `Errata has no ${name.slice(0, 40)}.`)
  return found
}
