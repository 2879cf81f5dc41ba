import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seq } from '#base/ids.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { NO_FIGURES_CHANGED } from '#ports/ingest.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { batchOf, openHouse, type ProcessedEnvelope, processedEnvelope } from '#testing/worlds/stores.ts'
import { aDirectory, bring, checkAll, expectedStored, traffic } from '#testing/worlds/traffic.ts'
import { COMMIT_STEPS, type CommitOptions, type CommitStep } from './commit.ts'

class Interrupted extends Error {}

/** Fails at one boundary of one commit, the first time it is reached. */
function failingAt(step: CommitStep, commitNumber: number) {
  let begun = 0
  let failed = false
  return (at: CommitStep) => {
    if (at === 'begin') begun++
    if (failed || at !== step || begun !== commitNumber) return
    failed = true
    throw new Interrupted(step)
  }
}

describe('the commit', () => {
  it('stores each event once and counts every item', async (t) => {
    const { open, shop, blog } = await aDirectory(t)
    const all = traffic(shop, blog)
    const house = await open()
    await bring(house, all, 6)
    await checkAll(house, all)
  })

  it('says what became of a batch, and changes nothing when it comes again', async (t) => {
    const { open, shop } = await aDirectory(t)
    const house = await open()
    await house.commit.recover()
    const batch = batchOf(
      [1, 2, 3].map((number) => processedEnvelope(number, shop, { name: `${number % 2}`, group: 'one' })),
    )
    assert.deepEqual(await house.commit.commit(batch), {
      appliedSeq: 3,
      newIssues: 1,
      regressedIssues: 0,
      firstEvents: [shop.projectId],
      figures: NO_FIGURES_CHANGED,
      storedRows: 2,
      duplicates: 1,
      hints: [],
      items: new Map([
        ['accepted', 2],
        ['invalid', 1],
      ]),
      projects: [shop.projectId],
    })
    const again = await house.commit.commit(batch)
    assert.deepEqual([again.appliedSeq, again.storedRows, again.duplicates], [3, 0, 0])
    assert.equal((await house.reader.counters()).eventsStored, 2)
  })

  it('keeps the first of two events with one id', async (t) => {
    const { open, shop, blog } = await aDirectory(t)
    const house = await open()
    await house.commit.recover()
    const [first, second] = [
      processedEnvelope(1, shop, { name: 'same' }),
      processedEnvelope(2, shop, { name: 'same' }),
    ]
    const elsewhere = processedEnvelope(3, blog, { name: 'same' })
    await house.commit.commit(batchOf([first, second, elsewhere]))
    const read = async (of: ProcessedEnvelope) => {
      const bytes = await house.segments.read({ ...of.row, kind: ERROR }, of.projectId, anEventId('same'))
      return Buffer.from(bytes ?? '').toString()
    }
    assert.equal(await read(first), first.payload)
    assert.equal(await read(elsewhere), elsewhere.payload)
  })

  it('takes an id again after the duplicate days', async (t) => {
    const { open, shop } = await aDirectory(t)
    const house = await open()
    await house.commit.recover()
    const at = (number: number, days: number) =>
      processedEnvelope(number, shop, {
        name: 'same',
        receivedMs: NOW + days * DAY,
        timestampMs: NOW + days * DAY,
      })
    const answers = []
    for (const [index, days] of [0, 7, 8].entries()) {
      answers.push(await house.commit.commit(batchOf([at(index + 1, days)])))
    }
    assert.deepEqual(
      answers.map(({ storedRows }) => storedRows),
      [1, 0, 1],
    )
  })

  it('takes batches in seq order alone, and only after recovery', async (t) => {
    const { open, shop } = await aDirectory(t)
    const house = await open()
    const one = (number: number) => processedEnvelope(number, shop)
    await assert.rejects(house.commit.commit(batchOf([one(1)])), /recover comes before/)
    await house.commit.recover()
    await house.commit.commit(batchOf([one(1), one(2)]))
    await assert.rejects(house.commit.commit(batchOf([one(2), one(3)])), /wholly beyond/)
    assert.equal(await house.commit.recover(), 2)
  })

  it('stores nothing of a batch without events but what it counts', async (t) => {
    const { open, shop, blog } = await aDirectory(t)
    const house = await open()
    await house.commit.recover()
    const quarantined = traffic(shop, blog).filter((envelope) => envelope.quarantined.length > 0)
    const { appliedSeq, storedRows } = await house.commit.commit(batchOf(quarantined))
    assert.deepEqual({ appliedSeq, storedRows }, { appliedSeq: 10, storedRows: 0 })
    assert.deepEqual(await house.telemetry.files(), [])
    assert.deepEqual(await house.segments.files(), [])
    await checkAll(house, quarantined)
  })
})

describe('a commit that fails', () => {
  for (const step of COMMIT_STEPS) {
    for (const commitNumber of [1, 3]) {
      it(`at "${step}" of batch ${commitNumber} is taken back, and its batch stored when it comes again`, async (t) => {
        const { open, shop, blog } = await aDirectory(t)
        const all = traffic(shop, blog)
        const house = await open(() => ({ onStep: failingAt(step, commitNumber) }))
        await assert.rejects(bring(house, all, 6), Interrupted)
        await assert.rejects(house.commit.commit(batchOf(all.slice(6, 12))), /recover comes before/)
        // The journal may cut its ranges otherwise the second time.
        await bring(house, all, 5)
        await checkAll(house, all)
      })

      it(`at "${step}" of batch ${commitNumber} leaves nothing that a restart does not put right`, async (t) => {
        const { directory, open, shop, blog } = await aDirectory(t)
        const all = traffic(shop, blog)
        const broken = await openHouse(directory, () => ({ onStep: failingAt(step, commitNumber) }))
        await assert.rejects(bring(broken, all, 6), Interrupted)
        await broken.close()
        const house = await open()
        await bring(house, all, 7)
        await checkAll(house, all)
      })
    }
  }

  it('again and again, at every step of every batch, ends with everything stored once', async (t) => {
    const { open, shop, blog } = await aDirectory(t)
    const all = traffic(shop, blog)
    const failed = new Set<string>()
    let current = 0
    const house = await open(() => ({
      onStep(step) {
        if (!COMMIT_STEPS.some((name) => name === step) || failed.has(`${step} ${current}`)) return
        failed.add(`${step} ${current}`)
        throw new Interrupted(step)
      },
    }))
    for (;;) {
      current = await house.commit.recover()
      if (current === all.at(-1)?.seq) break
      const next = all.filter((envelope) => envelope.seq > current).slice(0, 8)
      await house.commit.commit(batchOf(next)).catch((error: unknown) => {
        if (!(error instanceof Interrupted)) throw error
      })
    }
    await checkAll(house, all)
    // Three batches; one that failed after its control transaction is done, and never comes to the last step.
    assert.equal(failed.size, 3 * (COMMIT_STEPS.length - 1))
  })

  const partly: readonly [
    what: string,
    change: (parts: CommitOptions, fail: () => boolean) => Partial<CommitOptions>,
  ][] = [
    [
      'after one of its column files',
      ({ telemetry }, fail) => ({
        telemetry: {
          ...telemetry,
          async append(rows, lastSeq) {
            const [first] = rows
            if (!fail()) return telemetry.append(rows, lastSeq)
            await telemetry.append(
              rows.filter(({ file }) => file.retentionDays === first?.file.retentionDays),
              lastSeq,
            )
            throw new Interrupted('between column files')
          },
        },
      }),
    ],
    [
      'with its control transaction done but the answer lost',
      ({ control }, fail) => ({
        control: {
          appliedSeq: () => control.appliedSeq(),
          appliedOverflow: () => control.appliedOverflow(),
          hidden: () => control.hidden(),
          quarantinedSeqs: () => control.quarantinedSeqs(),
          forgetSetAside: (seqs) => control.forgetSetAside(seqs),
          payloadWindows: (groups) => control.payloadWindows(groups),
          staleGroups: (told) => control.staleGroups(told),
          toldErrors: (asked) => control.toldErrors(asked),
          async applyBatch(batch) {
            const answer = await control.applyBatch(batch)
            if (fail()) throw new Interrupted('the answer is lost')
            return answer
          },
        },
      }),
    ],
  ]
  for (const [what, change] of partly) {
    it(`${what} is put right`, async (t) => {
      const { open, shop, blog } = await aDirectory(t)
      const all = traffic(shop, blog)
      let calls = 0
      const house = await open((parts) => change(parts, () => ++calls === 2))
      await assert.rejects(bring(house, all, 6), Interrupted)
      await bring(house, all, 6)
      await checkAll(house, all)
    })
  }

  it('leaves nothing of its first form where the second differs, as after an upgrade', async (t) => {
    const { open, shop, blog } = await aDirectory(t)
    const first = traffic(shop, blog)
    const second = first.map((envelope) => ({
      ...envelope,
      row: { ...envelope.row, title: `${envelope.row.title}, said better` },
      payload: envelope.payload.replace('sent', 'sent and read better'),
    }))
    const all = [...first.slice(0, 6), ...second.slice(6)]
    const house = await open(() => ({ onStep: failingAt('columns', 2) }))
    await assert.rejects(bring(house, first, 6), Interrupted)
    await bring(house, all, 5)
    await checkAll(house, all)
  })

  it('counts the same after a replay that sees its own duplicates again', async (t) => {
    const { open, shop } = await aDirectory(t)
    const all = [1, 2, 3, 4].map((number) => processedEnvelope(number, shop, { name: 'always the same' }))
    const house = await open(() => ({ onStep: failingAt('event-ids', 1) }))
    await assert.rejects(bring(house, all, 2), Interrupted)
    assert.equal(await house.commit.recover(), seq(2))
    await bring(house, all, 1)
    assert.deepEqual((await house.reader.counters()).eventsStored, 1)
    assert.equal(expectedStored(all).length, 1)
  })
})
