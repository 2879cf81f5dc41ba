/** Stores, world and clock of each test of a contract, and what most contracts of issues do with them. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { IssueId } from '#base/ids.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aHash } from '../../builders/ids.ts'
import { anEvent, type EventShape } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import type { ControlFactory, ControlStores } from './stores.ts'
import { aControlWorld, type ControlWorld } from './world.ts'

/**
 * Opens stores with the usual world before each test and closes them behind it. The objects that are returned stay the same
 * and hold those of the test that runs: they can be taken apart once, and are empty before the first test.
 */
export function openForEachTest(open: ControlFactory) {
  const stores: ControlStores = Object.create(null)
  const world: ControlWorld = Object.create(null)
  const clock: ReturnType<typeof manualClock> = Object.create(null)
  let next = 1
  const begin = async () => {
    next = 1
    Object.assign(clock, manualClock(NOW))
    Object.assign(stores, await open(clock))
    Object.assign(world, await aControlWorld(stores))
  }
  beforeEach(begin)
  afterEach(() => stores.close())

  /** Begins anew within a test. */
  const reopen = async () => {
    await stores.close()
    await begin()
  }

  /** Returns the next batch; its events are of the shop unless they say otherwise. */
  const batchOf = (...events: readonly Partial<EventShape>[]) => {
    const shaped = events.map((event) => anEvent({ projectId: world.shop, ...event }))
    const batch = aBatch(next, shaped)
    next += events.length
    return batch
  }
  const send = (...events: readonly Partial<EventShape>[]) => stores.write.applyBatch(batchOf(...events))
  /** Returns the issue that a group is of. */
  const issueOf = async (group: string, project = world.shop) => {
    const issue = await stores.read.issueOfGroup(world.scope, project, aHash(group))
    assert.ok(issue, `no issue of ${group}`)
    return issue
  }
  const idOf = async (group: string) => (await issueOf(group)).id
  /** Names issues as changes of them are asked for. */
  const choice = (...ids: readonly IssueId[]) => ({ orgId: world.org, projects: world.scope.projects, ids })
  /** Takes the number of another batch. */
  const nextSeq = () => next++
  return { stores, world, clock, reopen, nextSeq, batchOf, send, issueOf, idOf, choice }
}
