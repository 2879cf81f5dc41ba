import assert from 'node:assert/strict'
import { it } from 'node:test'
import { projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { Memory } from '../memory.ts'
import { rememberAll } from './remembered.ts'

it('counts of a project are remembered far beyond the bound of what weighs more', () => {
  const memory = new Memory()
  const { failures, sessions, requests } = rememberAll(memory)
  const counts = {
    ...{ failures, sessions, hints: requests.hints, series: requests.series.counts },
    ...{ waiting: requests.failures.counts, actions: requests.actions.counts, ids: requests.actions.ids },
  }
  const most = max('projectCountsRememberedMax')
  for (let id = 1; id <= most; id++) for (const kept of Object.values(counts)) kept.set(projectId(id), id)
  memory.end()
  for (const [name, kept] of Object.entries(counts)) assert.equal(kept.has(projectId(1)), true, name)
  for (const kept of Object.values(counts)) kept.set(projectId(most + 1), 1)
  memory.end()
  for (const [name, kept] of Object.entries(counts)) {
    assert.equal(kept.has(projectId(1)), false, name)
    assert.equal(kept.has(projectId(2)), true, name)
  }
  assert.ok(most > max('projectsRememberedMax'))
})
