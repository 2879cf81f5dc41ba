/** How entries of sessions are asked for: see `model/dataset.ts`. */
import { datasetOf } from '#model/dataset.ts'
import { SESSIONS } from './fields.ts'

export const SESSION_DATASET = datasetOf(SESSIONS, {
  name: 'sessions',
  words: ['release', 'mechanism'],
  fields: { startedMs: { name: 'started', isTime: true }, durationMs: { name: 'duration', unit: 'ms' } },
  internal: ['sequence'],
})
