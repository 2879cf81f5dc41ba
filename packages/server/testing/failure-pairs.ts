/** Pairs of failures that are one group, or two, by grouping alone: no recogniser is asked before it. */
import assert from 'node:assert/strict'
import { groupEvent } from '#group/group.ts'
import { aFailure, type Failure } from './builders/failure.ts'

export type FailurePair = readonly [what: string, one: Failure, other: Failure]

/** Failures that pairs begin with, each in what both have. */
export const FAILURES = {
  INLINE: { type: 'ReferenceError', value: 'gtag is not defined' },
  NULL_READ: { type: 'TypeError', value: "Cannot read properties of null (reading 'addEventListener')" },
  NODE: { platform: 'node', type: 'Error' },
  PYTHON: { platform: 'python' },
  JAVA: { platform: 'java' },
  GO: { platform: 'go' },
  PHP: { platform: 'php' },
  RUBY: { platform: 'ruby' },
} as const satisfies Readonly<Record<string, Failure>>

const hashOf = (failure: Failure) => groupEvent(aFailure(failure)).hash

function explainPair([, ...failures]: FailurePair): string {
  return JSON.stringify(
    failures.map((failure) => groupEvent(aFailure(failure)).explanation),
    null,
    1,
  )
}

export function assertJoined(pair: FailurePair): void {
  const [, one, other] = pair
  assert.equal(hashOf(one), hashOf(other), explainPair(pair))
}

export function assertParted(pair: FailurePair): void {
  const [, one, other] = pair
  assert.notEqual(hashOf(one), hashOf(other), explainPair(pair))
}
