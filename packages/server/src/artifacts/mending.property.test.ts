/** Whatever comes and goes in whatever order, an event is never moved to and fro between issues. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { GroupHash } from '#base/ids.ts'
import { type LateWorld, openLateWorld } from '#testing/worlds/late-maps.ts'
import { mendLate } from './mending.ts'

const BUILDS = ['1'.repeat(32), '2'.repeat(32), '3'.repeat(32)] as const
const RUNS = process.env.ERRATA_TEST_LONG === '1' ? 60 : 8
const never = new AbortController().signal

type Step = readonly ['send' | 'upload' | 'drop' | 'mend', number]

const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>('send', 'send', 'upload', 'drop', 'mend', 'mend'),
    fc.nat(BUILDS.length - 1),
  ),
  { minLength: 4, maxLength: 14 },
)

async function take(late: LateWorld, [what, build]: Step, sent: GroupHash[]): Promise<void> {
  const debugId = BUILDS[build] ?? assert.fail()
  if (what === 'send') sent.push(await late.send(debugId))
  else if (what === 'mend') await mendLate(late.parts, new Set(), never)
  else late[what](debugId)
}

/** Places of each event, step by step. */
class Places {
  readonly #left: Set<number>[] = []
  readonly #at: number[] = []

  note(issues: readonly number[]): void {
    const before = [...this.#at]
    for (const [event, issue] of issues.entries()) {
      const left = this.#left[event] ?? new Set()
      this.#left[event] = left
      const was = before[event]
      if (was !== undefined && was !== issue) left.add(was)
      assert.ok(!left.has(issue), `event ${event} is in an issue again that it left`)
      this.#at[event] = issue
      for (const [other, wasOther] of before.entries()) {
        if (was !== undefined && was === wasOther)
          assert.equal(issues[other], issue, 'what was one stays one')
      }
    }
  }
}

describe('events whose maps come and go', () => {
  it('never leave an issue for one that they left, and end as one where every map was there', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        const late = await openLateWorld()
        try {
          const sent: GroupHash[] = []
          const places = new Places()
          const all: readonly Step[] = [
            ...drawn,
            ...BUILDS.map((_, build): Step => ['upload', build]),
            ['mend', 0],
            ...BUILDS.map((_, build): Step => ['drop', build]),
            ...BUILDS.map((_, build): Step => ['send', build]),
            ['mend', 0],
          ]
          for (const step of all) {
            await take(late, step, sent)
            places.note(await issuesOf(late, sent))
          }
          const builds = new Set(await issuesOf(late, sent.slice(0, -BUILDS.length)))
          assert.ok(builds.size <= 1, 'one failure, however many builds it was in')
        } finally {
          await late.close()
        }
      }),
      { numRuns: RUNS },
    )
  })
})

async function issuesOf({ house, world }: LateWorld, sent: readonly GroupHash[]): Promise<readonly number[]> {
  const issues = await Promise.all(
    sent.map((hash) => house.reader.issueOfGroup(world.scope, world.shop, hash)),
  )
  return issues.map((issue) => issue?.id ?? assert.fail('an event without an issue'))
}
