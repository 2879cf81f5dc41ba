/** Questions that `events/` and its like answer, in the words of the tools that ask. */
import { byWord } from '#base/by-word.ts'
import type { Reading } from './query.ts'
import { badField } from './refusals.ts'

export type Dataset = 'errors' | 'spans'

const SAME: Readonly<Record<string, Dataset>> = byWord({
  ...{ errors: 'errors', discover: 'errors', spans: 'spans', transactions: 'spans' },
})
/** Names of data sets that are not stored: "no such dataset" would send people looking for their mistake. */
const NOT_STORED: Readonly<Record<string, string>> = byWord({
  ...{ logs: 'Logs', ourlogs: 'Logs', metrics: 'Metrics', tracemetrics: 'Metrics' },
  ...{ metricsEnhanced: 'Metrics', replays: 'Session replays', profiles: 'Profiles' },
  ...{ profile_functions: 'Profiles', uptime_results: 'Uptime checks', issuePlatform: 'Occurrences' },
})

/** Why there is no such dataset; `null` for one that is served. */
export function datasetProblem(name: string): string | null {
  if (name === '' || SAME[name] !== undefined) return null
  const kind = NOT_STORED[name]
  if (kind !== undefined) return `${kind} are not stored by this version: errors or spans.`
  return `Errata has no ${name.slice(0, 40)}: one of ${Object.keys(SAME).join(', ')}.`
}

export const DATASET: Reading<Dataset> = {
  ...{ name: 'dataset', what: 'What is asked; discover is errors, transactions are spans' },
  schema: { type: 'string', enum: Object.keys(SAME), default: 'errors' },
  read({ searchParams }) {
    const name = searchParams.get('dataset') ?? ''
    const problem = datasetProblem(name)
    if (problem !== null) throw badField('dataset', problem)
    return SAME[name] ?? 'errors'
  },
}
