import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { keyId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { aRequest, envelopeText } from '#testing/builders/accept-request.ts'
import { openTestIngest, shortOutcome, type TestIngest } from '#testing/worlds/accept.ts'
import { nextState } from './gauge.ts'
import { type GaugeReadings, Overload, overloadText } from './overload.ts'
import { BLOG_KEY, SAMPLE_BLOG, SAMPLE_SHOP, SHOP_KEY } from './sample-directory.ts'
import type { AcceptRequest } from './types.ts'

const GIB = 1024 ** 3
const WELL: GaugeReadings = { backlog: 0, backlog_age: 0, memory: GIB / 4, disk: 50 * GIB }
const FULL: GaugeReadings = { ...WELL, backlog: max('backlogBytesSoft') + GIB }

function openOverload() {
  const clock = manualClock(1_795_000_000_000)
  const said: string[] = []
  const log = {
    ...silentLog,
    warn: (text: string) => said.push(text),
    info: (text: string) => said.push(text),
  }
  const overload = new Overload({ clock, log, memoryBytes: GIB, diskBytes: 100 * GIB })
  return { clock, said, overload }
}

describe('a gauge', () => {
  const high = { soft: 100, hard: 200, worse: 'high', release: 0.8 } as const
  const low = { soft: 100, hard: 50, worse: 'low', release: 0.8 } as const
  const states = (values: readonly number[], limits: typeof high | typeof low) => {
    let state: ReturnType<typeof nextState> = 'ok'
    return values.map((value) => {
      state = nextState(state, value, limits)
      return state
    })
  }

  it('holds what it said until the value is well back', () => {
    assert.deepEqual(states([99, 100, 99, 81, 80, 79, 81, 99, 100], high), [
      ...['ok', 'soft', 'soft', 'soft', 'soft', 'ok', 'ok', 'ok', 'soft'],
    ])
    assert.deepEqual(states([250, 199, 161, 159, 250, 79], high), [
      'hard',
      'hard',
      'hard',
      'soft',
      'hard',
      'ok',
    ])
  })

  it('does the same for what must not run out', () => {
    assert.deepEqual(states([101, 100, 120, 126, 49, 60, 63, 126], low), [
      ...['ok', 'soft', 'soft', 'ok', 'hard', 'hard', 'soft', 'ok'],
    ])
  })

  it('does not flap with a value that trembles around its limit', () => {
    const trembling = Array.from({ length: 100 }, (_, index) => 100 + (index % 2 === 0 ? 1 : -1))
    const seen = states(trembling, high)
    assert.equal(seen.filter((state, index) => index > 0 && state !== seen[index - 1]).length, 0)
  })
})

/** Senders that each want so many envelopes of a size a second. */
interface Sender {
  readonly key: number
  readonly project: number
  readonly perSecond: number
  readonly bytes: number
}

/** Runs seconds of traffic; a backlog drains `drained` bytes of it a second. Answers what each key got through. */
function run(
  { clock, overload }: ReturnType<typeof openOverload>,
  senders: readonly Sender[],
  { seconds, drained, backlog }: { seconds: number; drained: number; backlog: number },
): Map<number, { sent: number; refused: number }> {
  const counts = new Map(senders.map(({ key }) => [key, { sent: 0, refused: 0 }]))
  let waiting = backlog
  for (let second = 0; second < seconds; second++) {
    for (let tenth = 0; tenth < 10; tenth++) {
      for (const { key, project, perSecond, bytes } of senders) {
        for (let each = 0; each < perSecond / 10; each++) {
          const reason = overload.admit({ keyId: keyId(key), projectId: projectId(project) }, bytes)
          const count = counts.get(key)
          if (count === undefined) continue
          if (reason === null) waiting += bytes
          count[reason === null ? 'sent' : 'refused']++
        }
      }
      clock.advance(100)
      waiting = Math.max(0, waiting - drained / 10)
      if (tenth % 5 === 4) overload.update({ ...WELL, backlog: waiting })
    }
  }
  return counts
}

describe('three projects of different weight beyond the soft limit', () => {
  const quiet = { key: 1, project: 1, perSecond: 10, bytes: 5_000 }
  const busy = { key: 2, project: 2, perSecond: 200, bytes: 5_000 }
  const noisy = { key: 3, project: 3, perSecond: 2_000, bytes: 5_000 }
  const drained = 5_000_000

  it('share what is drained: the light ones never notice, the heaviest gets what they leave', () => {
    const open = openOverload()
    open.overload.update(WELL)
    run(open, [quiet, busy, noisy], { seconds: 12, drained, backlog: 0 })
    const counts = run(open, [quiet, busy, noisy], { seconds: 30, drained, backlog: FULL.backlog })
    assert.equal(counts.get(1)?.refused, 0)
    assert.equal(counts.get(2)?.refused, 0)
    const got = (counts.get(3)?.sent ?? 0) * noisy.bytes
    const left = (drained - 210 * 5_000) * 30
    assert.ok(got < left, `${got} of ${left}: the backlog must shrink`)
    assert.ok(got > left / 2, `${got} of ${left}: the noisy one keeps a fair part`)
    const [gauge] = open.overload.view().gauges
    assert.equal(gauge?.state, 'soft')
    assert.deepEqual(
      open.overload.view().heldBack.map(({ projectId: project }) => project),
      [3],
    )
  })

  it('are held back key by key: a quiet key of the noisy project passes', () => {
    const open = openOverload()
    open.overload.update(WELL)
    const second = { ...quiet, key: 4, project: 3 }
    run(open, [busy, noisy, second], { seconds: 12, drained, backlog: 0 })
    const counts = run(open, [busy, noisy, second], { seconds: 10, drained, backlog: FULL.backlog })
    assert.equal(counts.get(4)?.refused, 0)
    assert.ok((counts.get(3)?.refused ?? 0) > 0)
  })

  it('are held back by work, not by bytes alone: a few crafted envelopes do not push honest ones out', () => {
    const open = openOverload()
    const honest = { ...busy, perSecond: 60 }
    const crafted = { key: 4, project: 4, perSecond: 100, bytes: 5_000 }
    const works = [
      { keyId: keyId(2), form: 'plain', bytes: 10_000_000, ms: 1_000 },
      { keyId: keyId(4), form: 'plain', bytes: 1_000_000, ms: 4_000 },
    ] as const
    open.overload.update(WELL)
    run(open, [honest, crafted], { seconds: 12, drained, backlog: 0 })
    open.overload.worked(works)
    const half = { seconds: 5, drained: 1_500_000, backlog: FULL.backlog }
    const counts = run(open, [honest, crafted], half)
    assert.equal(counts.get(2)?.refused, 0)
    assert.ok((counts.get(4)?.refused ?? 0) > (counts.get(4)?.sent ?? 0), JSON.stringify([...counts]))
    const unmeasured = openOverload()
    unmeasured.overload.update(WELL)
    run(unmeasured, [honest, crafted], { seconds: 12, drained, backlog: 0 })
    const passed = run(unmeasured, [honest, crafted], half).get(4)
    assert.ok((passed?.sent ?? 0) > 9 * (passed?.refused ?? 0), JSON.stringify(passed))
  })

  it('are counted however many they are, and named up to a bound', () => {
    const open = openOverload()
    open.overload.update(WELL)
    const shown = max('overloadKeysShown')
    const noisyKeys = Array.from({ length: shown + 5 }, (_, at) => ({
      ...noisy,
      key: 10 + at,
      perSecond: 100,
    }))
    run(open, noisyKeys, { seconds: 12, drained, backlog: 0 })
    run(open, noisyKeys, { seconds: 5, drained: drained / 2, backlog: FULL.backlog })
    const { heldBack, heldBackKeys } = open.overload.view()
    assert.deepEqual([heldBack.length, heldBackKeys], [shown, shown + 5])
  })

  it('are all free again when the backlog is well back, and that is logged once', () => {
    const open = openOverload()
    open.overload.update(WELL)
    run(open, [quiet, noisy], { seconds: 12, drained, backlog: 0 })
    run(open, [quiet, noisy], { seconds: 5, drained, backlog: FULL.backlog })
    open.overload.update(WELL)
    const counts = run(open, [quiet, noisy], { seconds: 3, drained: 1e9, backlog: 0 })
    assert.equal(counts.get(3)?.refused, 0)
    assert.deepEqual(open.overload.view().heldBack, [])
    assert.deepEqual(open.said, ['overload: the heaviest keys are held back', 'overload: over'])
  })

  it('are known when everybody may come in again: the heaviest does not pass while it is measured anew', () => {
    const open = openOverload()
    open.overload.update(WELL)
    run(open, [quiet, noisy], { seconds: 12, drained, backlog: 0 })
    run(open, [quiet, noisy], { seconds: 5, drained, backlog: FULL.backlog })
    let backlog = FULL.backlog
    for (let second = 0; second < 15; second++) {
      open.overload.update({ ...FULL, backlog, disk: 0 })
      assert.equal(open.overload.closedBy(), 'overload_disk')
      open.clock.advance(1_000)
      backlog -= drained
    }
    open.overload.update({ ...FULL, backlog })
    assert.equal(open.overload.closedBy(), null)
    const counts = run(open, [quiet, noisy], { seconds: 1, drained, backlog })
    assert.equal(counts.get(1)?.refused, 0)
    assert.ok((counts.get(3)?.refused ?? 0) > noisy.perSecond / 2)
  })

  it('are held back a second after a burst begins, however long the window is', () => {
    const open = openOverload()
    open.overload.update(WELL)
    run(open, [quiet, busy], { seconds: 12, drained, backlog: 0 })
    run(open, [quiet, busy, noisy], { seconds: 1, drained, backlog: FULL.backlog })
    const counts = run(open, [quiet, busy, noisy], { seconds: 2, drained, backlog: FULL.backlog })
    assert.equal(counts.get(1)?.refused, 0)
    assert.ok((counts.get(3)?.refused ?? 0) > noisy.perSecond)
  })

  it('still send a little while nothing at all is drained', () => {
    const open = openOverload()
    open.overload.update(FULL)
    const tiny = { key: 1, project: 1, perSecond: 10, bytes: 1_000 }
    const counts = run(open, [tiny, noisy], { seconds: 5, drained: 0, backlog: FULL.backlog })
    assert.equal(counts.get(1)?.refused, 0)
    assert.ok((counts.get(3)?.refused ?? 0) > 0)
  })
})

describe('memory and disk', () => {
  const heavy = { keyId: keyId(1), projectId: projectId(1) }
  const rows: readonly [
    name: string,
    soft: Partial<GaugeReadings>,
    hard: Partial<GaugeReadings>,
    reason: string,
  ][] = [
    ['memory', { memory: 0.72 * GIB }, { memory: 0.9 * GIB }, 'overload_memory'],
    ['disk', { disk: 3 * GIB }, { disk: 0.4 * GIB }, 'overload_disk'],
    ['age', { backlog_age: 200_000 }, { backlog_age: 4_000_000 }, 'overload_backlog'],
  ]
  for (const [name, soft, hard, reason] of rows) {
    it(`beyond the soft limit hold back the heaviest, beyond the hard one everybody (${name})`, () => {
      const { clock, overload } = openOverload()
      overload.update(WELL)
      const second = () => {
        const answers = Array.from({ length: 50 }, () => overload.admit(heavy, 100_000))
        clock.advance(1_000)
        return answers
      }
      for (let count = 0; count < 12; count++) {
        assert.ok(second().every((answer) => answer === null))
        overload.update(WELL)
      }
      overload.update({ ...WELL, ...soft })
      assert.equal(overload.closedBy(), null)
      const answers = second()
      assert.ok(answers.includes(null))
      assert.equal(answers.at(-1), reason)
      overload.update({ ...WELL, ...hard })
      assert.equal(overload.closedBy(), reason)
      overload.update(WELL)
      assert.equal(overload.closedBy(), null)
      assert.equal(overloadText(overload.states()), null)
    })
  }

  it('beyond the soft limit from the start refuse nobody for what came before', () => {
    const open = openOverload()
    const disk = { ...WELL, disk: GIB }
    open.overload.update(disk)
    let refused = 0
    for (let tick = 0; tick < 120; tick++) {
      for (let project = 1; project <= 5; project++) {
        const sender = { keyId: keyId(project), projectId: projectId(project) }
        for (let each = 0; each < 25; each++) if (open.overload.admit(sender, 5_000) !== null) refused++
      }
      open.clock.advance(500)
      open.overload.update(disk)
    }
    assert.equal(open.overload.view().gauges.find(({ name }) => name === 'disk')?.state, 'soft')
    assert.equal(refused, 0)
  })

  it('are said in one line', () => {
    const { overload } = openOverload()
    overload.update({ ...WELL, memory: 0.9 * GIB, disk: 3 * GIB })
    assert.equal(
      overloadText(overload.states()),
      'overloaded: memory is beyond its hard limit, free disk is beyond its soft limit',
    )
  })

  it('have limits that follow the machine', () => {
    const clock = manualClock(0)
    const limitsOf = (memoryBytes: number, diskBytes: number) =>
      new Overload({ clock, log: silentLog, memoryBytes, diskBytes })
        .view()
        .gauges.map(({ soft, hard }) => [Math.round(soft / 2 ** 20), Math.round(hard / 2 ** 20)])
        .slice(2)
    assert.deepEqual(limitsOf(512 * 2 ** 20, 10 * GIB), [
      [358, 435],
      [512, 102],
    ])
    assert.deepEqual(limitsOf(64 * GIB, 1_000 * GIB), [
      [2_867, 3_482],
      [4_096, 512],
    ])
  })
})

describe('accept under overload', () => {
  let ingest: TestIngest
  beforeEach(async () => {
    ingest = await openTestIngest()
  })
  afterEach(() => ingest.close())
  const body = envelopeText(JSON.stringify({ message: 'x'.repeat(20_000) }))
  const blog = { projectRef: String(SAMPLE_BLOG), query: new URLSearchParams({ sentry_key: BLOG_KEY }) }

  it('answers the heaviest key 429 with both headers, counts it, and keeps what it acknowledged', async () => {
    const { clock, overload } = openOverload()
    const accept = ingest.openAccept({}, clock, overload)
    overload.update(FULL)
    let acknowledged = 0
    let refused = null
    for (let count = 0; count < 200 && refused === null; count++) {
      const answer = await accept.accept(aRequest(body))
      if (answer.status === 200) acknowledged++
      else refused = answer
      if (count % 10 === 9) clock.advance(300)
    }
    assert.equal(refused?.status, 429)
    assert.equal(refused.rateLimits, `${max('limitedRetrySeconds')}::key:overload_backlog`)
    assert.equal(refused.retryAfter, max('limitedRetrySeconds'))
    assert.equal(refused.error?.code, 'rate_limited')
    assert.equal((await accept.accept(aRequest(envelopeText(), blog))).status, 200)
    assert.equal(ingest.envelopes().length, acknowledged + 1)
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
      `${SAMPLE_SHOP} rate_limited overload_backlog error 1`,
    ])
  })

  it('counts what it refuses towards no rate limit', async () => {
    const { clock, overload } = openOverload()
    const accept = ingest.openAccept(
      { shopKey: { rateLimit: { window: 3_600, count: 50 } } },
      clock,
      overload,
    )
    overload.update(FULL)
    const send = async () => (await accept.accept(aRequest(body))).status
    const answers = []
    for (let count = 0; count < 200; count++) {
      answers.push(await send())
      if (count % 10 === 9) clock.advance(300)
    }
    const stored = answers.filter((status) => status === 200).length
    assert.ok(stored > 0 && stored < 50, `${stored}`)
    overload.update(WELL)
    for (let left = 50 - stored; left > 0; left--) assert.equal(await send(), 200)
    assert.equal(await send(), 429)
  })

  it('answers everybody 503 beyond a hard limit, takes nothing, and lets all in again after', async () => {
    const { clock, overload } = openOverload()
    const accept = ingest.openAccept({}, clock, overload)
    overload.update({ ...WELL, disk: 0 })
    for (const change of [{}, blog]) {
      const answer = await accept.accept(aRequest(envelopeText(), change))
      assert.equal(answer.status, 503)
      assert.equal(answer.retryAfter, max('overloadedRetrySeconds'))
    }
    assert.deepEqual(ingest.envelopes(), [])
    overload.update(WELL)
    assert.equal((await accept.accept(aRequest(envelopeText()))).status, 200)
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome).sort(), [
      `${SAMPLE_SHOP} rate_limited overload_disk error 1`,
      `${SAMPLE_BLOG} rate_limited overload_disk error 1`,
    ])
  })

  it('counts a tunnelled envelope for the project of its DSN beyond a hard limit', async () => {
    const { clock, overload } = openOverload()
    const accept = ingest.openAccept({}, clock, overload)
    overload.update({ ...WELL, memory: 0.95 * GIB })
    const tunnelled = (key: string, change: Partial<AcceptRequest> = {}) =>
      accept.accept(
        aRequest(`{"dsn":"https://${key}@h/${SAMPLE_SHOP}"}\n{"type":"session"}\n{}`, {
          projectRef: null,
          query: new URLSearchParams(),
          relay: { organisation: 'acme', project: 'shop' },
          ...change,
        }),
      )
    assert.equal((await tunnelled(SHOP_KEY)).status, 503)
    assert.equal((await tunnelled('e'.repeat(32))).status, 403)
    assert.equal((await tunnelled(SHOP_KEY, { body: Buffer.from('no envelope') })).status, 503)
    const large = Buffer.alloc(max('inflateSyncBytesMax') + 1, ' ')
    assert.equal((await tunnelled(SHOP_KEY, { body: large })).status, 503)
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome).sort(), [
      `${SAMPLE_SHOP} rate_limited overload_memory session 1`,
      'null invalid unknown_key session 1',
      'null rate_limited overload_memory error 2',
    ])
  })
})
