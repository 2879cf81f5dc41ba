/**
 * Instances of every kind, of many libraries, languages, engines and loggers: one failure is one issue, two
 * are two, and each is named by what failed. One a line in `group/v1/corpus/instances.ndjson`.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { assertApart, assertTogether, type Raw, titleAndCulprit } from '#testing/one-failure.ts'

interface Instance {
  readonly kind: string
  readonly what: string
  readonly together?: readonly Raw[]
  readonly apart?: readonly Raw[]
  readonly event?: Raw
  /** Patterns. */
  readonly title?: string
  readonly culprit?: string
}

const FILE = join(import.meta.dirname, '../../group/v1/corpus/instances.ndjson')
const INSTANCES: readonly Instance[] = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))

for (const kind of new Set(INSTANCES.map((instance) => instance.kind))) {
  describe(kind, () => {
    for (const instance of INSTANCES.filter((each) => each.kind === kind)) {
      it(instance.what, () => holds(instance))
    }
  })
}

function holds(instance: Instance): void {
  if (instance.together !== undefined) assertTogether(...instance.together)
  if (instance.apart !== undefined) assertApart(...instance.apart)
  if (instance.event === undefined) return
  const told = titleAndCulprit(instance.event)
  if (instance.title !== undefined) assert.match(told.title, new RegExp(instance.title))
  if (instance.culprit !== undefined) assert.match(told.culprit, new RegExp(instance.culprit))
}
