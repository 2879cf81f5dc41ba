/**
 * The seeds of the fault suite, shared out to test files so that each has a core of its own. A failing seed is printed
 * with the command that runs it alone:
 *
 *   ERRATA_FAULT_SEEDS=17 npm test -- tests/faults/seeds-even.test.ts tests/faults/seeds-odd.test.ts
 *
 * `ERRATA_FAULT_SEEDS` also takes ranges (`0-959,1200`), as many as there is time for.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { FAULTS, faultsOf, makeTemplate, runSeed, type Template } from './run.ts'

/** On every change, and in `npm run test:long`. */
const SEEDS = process.env.ERRATA_TEST_LONG === '1' ? 960 : 96
/** Runs beside each other: while one waits for a disk or a hanging thread, another computes. */
const LANES = 2
/** A run takes a third of a second; one that takes so long is stuck. */
const STUCK_MS = 60_000

/** Describes the seeds for which `isMine` holds, sorted by their first fault. */
export function describeSeeds(name: string, isMine: (seed: number) => boolean): void {
  const seeds = chosenSeeds().filter(isMine)
  describe(name, { concurrency: false }, () => {
    let template: Promise<Template> | null = null
    after(async () => {
      if (template !== null) await rm((await template).directory, { recursive: true, force: true })
    })
    for (const fault of FAULTS) {
      const mine = seeds.filter((seed) => faultsOf(seed)[0] === fault)
      if (mine.length === 0) continue
      it(`stores or counts what it acknowledged, once, over ${mine.length} seeds of: ${fault}`, async () => {
        template ??= makeTemplate()
        const failed = await failuresOf(mine, await template)
        assert.equal(failed.length, 0, failed.join('\n\n'))
      })
    }
  })
}

async function failuresOf(seeds: readonly number[], template: Template): Promise<readonly string[]> {
  const waiting = [...seeds]
  const failed: string[] = []
  const lane = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const failure = await failureOf(seed, template)
      if (failure !== null) failed.push(failure)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return failed
}

async function failureOf(seed: number, template: Template): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const stuck = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`seed ${seed} (${faultsOf(seed).join(', ')}) is stuck`)),
      STUCK_MS,
    )
  })
  try {
    await Promise.race([runSeed(seed, template), stuck])
    return null
  } catch (cause) {
    const files = 'tests/faults/seeds-even.test.ts tests/faults/seeds-odd.test.ts'
    return `${told(cause)}\n  again: ERRATA_FAULT_SEEDS=${seed} npm test -- ${files}`
  } finally {
    clearTimeout(timer)
  }
}

function told(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { message, cause: deeper, stack } = cause
  return deeper === undefined ? (stack ?? message) : `${message}\n${told(deeper)}`
}

/** Every seed of the suite, or those of the environment. */
function chosenSeeds(): readonly number[] {
  const text = process.env.ERRATA_FAULT_SEEDS
  if (text === undefined || text === '') return Array.from({ length: SEEDS }, (_, seed) => seed)
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
