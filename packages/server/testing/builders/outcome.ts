import type { CountedOutcome } from '#model/outcome.ts'
import { NOW } from './times.ts'

export function anOutcome(change: Partial<CountedOutcome> = {}): CountedOutcome {
  return {
    outcome: 'accepted',
    reason: null,
    category: 'error',
    quantity: 1,
    projectId: null,
    keyId: null,
    atMs: NOW,
    ...change,
  }
}
