import assert from 'node:assert/strict'
import { it } from 'node:test'
import { projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { FailureSeen } from '#ports/requests.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { NOW } from '#testing/builders/times.ts'
import { WaitingFailures } from './waiting-failures.ts'

const MOST = max('waitingFailuresMax')
const [SHOP, BLOG] = [projectId(1), projectId(2)]

const failures = (project: typeof SHOP, count: number): FailureSeen[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ projectId: project, eventId: anEventId(`${project}-${at}`), traceId: '0'.repeat(32) },
    ...{ route: '/late', kind: 'document', atMs: NOW, receivedMs: NOW },
  }))

it('keeps nothing of batches that are undone, so that their retries push out nobody', () => {
  const waiting = new WaitingFailures()
  waiting.add(SHOP, failures(SHOP, 2))
  waiting.committed()
  for (let tries = 0; tries < 3; tries++) {
    waiting.add(BLOG, failures(BLOG, MOST - 2))
    waiting.unwritten()
  }
  assert.equal(waiting.toWrite(BLOG).length, 0)
  waiting.add(BLOG, failures(BLOG, MOST - 2))
  waiting.committed()
  assert.equal(waiting.toWrite(SHOP).length, 2)
  assert.equal(waiting.toWrite(BLOG).length, MOST - 2)
  waiting.unwritten()
  assert.equal(waiting.toWrite(BLOG).length, MOST - 2, 'what an earlier batch added stays')
})

it('brings back what a batch that is undone pushed out', () => {
  const waiting = new WaitingFailures()
  waiting.add(SHOP, failures(SHOP, 2))
  waiting.committed()
  waiting.add(BLOG, failures(BLOG, 1))
  waiting.add(BLOG, failures(BLOG, MOST))
  assert.equal(waiting.toWrite(SHOP).length, 0)
  waiting.unwritten()
  assert.equal(waiting.toWrite(SHOP).length, 2)
  waiting.committed()
  // The count is right again: there is room for all but one.
  waiting.add(SHOP, failures(SHOP, 1))
  waiting.add(BLOG, failures(BLOG, MOST - 1))
  waiting.committed()
  assert.equal(waiting.toWrite(SHOP).length, 1)
  assert.equal(waiting.toWrite(BLOG).length, MOST - 1)
})
