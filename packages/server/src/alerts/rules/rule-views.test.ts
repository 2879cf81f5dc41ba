import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { orgId, type ProjectId, projectId } from '#base/ids.ts'
import { anIssueRule, aRule } from '#testing/builders/alert-rule.ts'
import { aScope } from '#testing/builders/scope.ts'
import { firedByDay, isVisible } from './rule-views.ts'

it('firings are counted by the day, of fourteen with today', () => {
  const today = 20_000
  const days = [today - 14, today - 13, today - 13, today, today + 1]
  const counts = firedByDay(
    days.map((day) => day * DAY_MS),
    today * DAY_MS + 1,
  )
  assert.deepEqual(counts, [2, ...Array.from({ length: 12 }, () => 0), 1])
  assert.equal(firedByDay([(today + 1) * DAY_MS - 1], today * DAY_MS).at(-1), 1, 'until midnight')
})

it('a rule is seen by who may read one of its projects, of the organisation alone', () => {
  const scope = aScope(projectId(1))
  const sees = (projects: readonly ProjectId[] | null, of = orgId(1)) =>
    isVisible(aRule(anIssueRule({ on: 'new' }, { projects }), { orgId: of }), scope)
  assert.deepEqual(
    [sees(null), sees([projectId(1), projectId(2)]), sees([projectId(2)]), sees(null, orgId(2))],
    [true, true, false, false],
  )
})
