/** World of the suites of alert rules: two organisations, rules without presets, events that arrive now. */
import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import type { RuleDraft } from '#model/alert-rule.ts'
import type { Firing } from '#ports/alerts.ts'
import { anActor } from '../../builders/actor.ts'
import type { EventShape } from '../../builders/stored-event.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

type Shape = Omit<EventShape, 'projectId'> & { readonly projectId?: ProjectId }

/** Call it within a `describe`. */
export function alertWorld(open: ControlFactory) {
  const at = openForEachTest(open)
  beforeEach(async () => {
    // What every organisation begins with is tested by itself.
    for (const { rule: preset } of await rules())
      value(await at.stores.write.deleteRule(at.world.org, preset.id, anActor()))
    await projectsTell(false)
  })

  const rules = () => at.stores.read.alertRules(at.world.scope, at.clock.now())
  const rule = async (draft: RuleDraft): Promise<number> =>
    value(await at.stores.write.createRule(at.world.org, draft, anActor(at.clock.now()))).id
  /** Whether projects email their own alerts, which come before those of rules. */
  const projectsTell = async (mail: boolean) => {
    const { shop, blog, org, otherOrg, otherShop } = at.world
    for (const project of [shop, blog])
      value(await at.stores.write.setNotices(org, project, { mail, quietHours: 24 }, anActor()))
    value(await at.stores.write.setNotices(otherOrg, otherShop, { mail, quietHours: 24 }, anActor()))
  }
  const evaluate = (metrics = true) => at.stores.write.evaluateDue(at.clock.now(), { metrics, mail: true })
  const firings = (ruleId: number | null = null): Promise<readonly Firing[]> =>
    at.stores.read.firings(at.world.scope, { ruleId, sinceMs: 0, before: null, limit: 100 })
  const messages = async () =>
    (
      await at.stores.read.deliveryLog(at.world.scope, {
        ...{
          of: 'rules',
          ruleId: null,
          kind: null,
          channelId: null,
          states: null,
          sinceMs: 0,
          text: '',
          before: null,
          limit: 100,
        },
      })
    ).entries
  const told = async () => (await messages()).map(({ headline, moment, level }) => [moment, level, headline])

  async function arrive(...shapes: readonly Shape[]) {
    const batch = at.batchOf(...shapes.map((shape) => ({ timestampMs: at.clock.now(), ...shape })))
    await at.stores.write.applyBatch(batch)
    return batch
  }
  const issueIdOf = async (shortId: string) =>
    (await at.stores.read.issue(at.world.scope, shortId))?.id ?? assert.fail('no such issue')
  const change = async (shortId: string) => ({
    ...{ orgId: at.world.org, projects: at.world.scope.projects, ids: [await issueIdOf(shortId)] },
  })
  const actor = () => anActor(at.clock.now())
  const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, index) => make(index))

  return {
    at,
    rules,
    rule,
    projectsTell,
    evaluate,
    firings,
    messages,
    told,
    arrive,
    issueIdOf,
    change,
    actor,
    times,
  }
}
