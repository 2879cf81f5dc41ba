/** Answers of /health, /system and /metrics about parts that are broken, stuck or damaged. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Overload } from '#accept/overload.ts'
import { systemClock } from '#base/clock.ts'
import { dayOf } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { DAMAGE_CODES, type KnownDamage } from '#model/damage.ts'
import type { RetentionOverview } from '#ports/care.ts'
import { journalPath } from '../directory/paths.ts'
import { healthOf, SHOWN_PARTS, VITAL_PARTS } from './health.ts'
import { EngineCounts, readMetrics } from './metrics.ts'
import { createSystemFacts, type SystemFactsParts } from './system-facts.ts'

const HANDBOOK = fileURLToPath(new URL('../../../../../docs/operating/README.md', import.meta.url))
const GIB = 1024 ** 3
const SOUND: RetentionOverview = {
  ...{ usedBytes: 7, maxDiskBytes: null, daysLeft: null, pendingDeletions: 0 },
  ...{ missingColumns: [], missingPayloads: [], believedMs: null },
}
const never = <T>() => new Promise<T>(() => {})

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'errata-system-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Everything works, but for the change. */
function parts(change: Partial<SystemFactsParts> = {}): SystemFactsParts & { readonly overload: Overload } {
  const clock = systemClock
  return {
    settings: { data, smtp: null, backup: { directory: null, everyHours: 24, keep: 7 } },
    version: '1.2.3',
    stores: stores({}),
    publicAddress: { url: '' },
    state: { appliedSeq: 0, directory: { organisations: [], projects: [], keys: [] } },
    journal: {
      backlog: () => ({ bytes: 10, records: 2, oldestMs: 0 }),
      failing: () => null,
      damage: () => ({ gaps: 0, bytes: 0 }),
    },
    dispatch: { failing: () => null },
    threads: {
      commit: { name: 'commit', ended: false, damage: null },
      read: { name: 'read', ended: false, damage: null },
    },
    verification: verificationOf([]),
    notices: { mail: () => ({ sent: 0, failed: 0, failing: null }) },
    factMs: 60_000,
    ...change,
    acceptThreads: null,
    overload: new Overload({ clock, log: silentLog, memoryBytes: GIB, diskBytes: GIB }),
  }
}

function verificationOf(damages: readonly KnownDamage[]): SystemFactsParts['verification'] {
  return {
    damages: () => damages,
    progress: () => ({ begunMs: null, endedMs: null, filesDone: 0, files: 0 }),
  }
}

function stores(change: Partial<SystemFactsParts['stores']>): SystemFactsParts['stores'] {
  return {
    telemetry: { bytes: async () => 3 },
    payloads: { bytes: async () => 4 },
    attachments: { attachmentTotals: async () => ({ count: 0, bytes: 0 }) },
    care: { overview: async () => SOUND },
    ...change,
  }
}

async function broken(given: SystemFactsParts): Promise<Record<string, string>> {
  const { health } = await createSystemFacts(given)()
  return Object.fromEntries(health.filter(({ ok }) => !ok).map(({ name, detail }) => [name, detail]))
}

describe('the parts of a running engine', () => {
  const secret = 'EIO: i/o error, write, /var/lib/errata/journal'
  const cases: readonly [string, Partial<SystemFactsParts>, Record<string, string>][] = [
    ['journal', { journal: { ...parts().journal, failing: () => secret } }, { journal: secret }],
    ['commit', { dispatch: { failing: () => secret } }, { commit: secret }],
    [
      'commit',
      { threads: { ...parts().threads, commit: { name: 'commit', ended: true, damage: null } } },
      { commit: 'the commit thread has ended' },
    ],
    [
      'read',
      { threads: { ...parts().threads, read: { name: 'read', ended: true, damage: null } } },
      { read: 'the read thread has ended' },
    ],
    ...(['commit', 'read'] as const).map((name): (typeof cases)[number] => [
      'control',
      { threads: { ...parts().threads, [name]: { name, ended: false, damage: `met by ${name}` } } },
      {
        control: `met by ${name}. Stop the server and run "errata check"; "errata restore" brings a backup back.`,
      },
    ]),
  ]
  for (const [name, change, told] of cases) {
    it(`are the same to everybody, by name on /health and in words to the operator: ${Object.values(told)}`, async () => {
      const given = parts(change)
      const expected = { ok: false, status: 'broken', detail: `broken: ${name}`, reasons: [name] }
      assert.deepEqual(healthOf(given), expected)
      assert.deepEqual(await broken(given), told)
    })
  }

  it('tell threads that do not accept to the operator alone', async () => {
    const crew = { size: 2, wanted: 2, running: 2, replaced: { died: 3, hung: 1 } }
    const socket = { lost: null, renewed: 2 }
    const cases: readonly [SystemFactsParts['acceptThreads'], Record<string, string>][] = [
      [{ ...crew, socket }, {}],
      [
        { ...crew, running: 1, socket },
        { accept: '1 of 2 threads take connections; the others have stopped and are being restarted' },
      ],
      [
        { ...crew, running: 1, socket: { lost: 'EROFS', renewed: 2 } },
        { accept: "pages and calls get 503: the socket file can't be recreated: EROFS" },
      ],
    ]
    for (const [acceptThreads, told] of cases) {
      const given = { ...parts(), acceptThreads }
      assert.equal(healthOf(given).status, 'ok')
      assert.deepEqual(await broken(given), told)
    }
  })

  it('leave /health at 200, and degraded by code, where what is stored is damaged', async () => {
    const of = {
      file: { kind: 'error', day: dayOf(0), retentionDays: 90 },
      detail: secret,
      sinceMs: 5,
    } as const
    const given = parts({
      verification: verificationOf([
        { ...of, code: 'columns_unreadable' },
        { ...of, code: 'payloads_damaged' },
        { ...of, code: 'payloads_damaged', file: { ...of.file, day: dayOf(9e8) } },
      ]),
    })
    assert.deepEqual(healthOf(given), {
      ok: true,
      status: 'degraded',
      detail: 'degraded: columns_unreadable, payloads_damaged',
      reasons: ['columns_unreadable', 'payloads_damaged'],
    })
    const told = await broken(given)
    assert.deepEqual(Object.keys(told), ['files'])
    assert.match(told.files ?? '', /columns of error-1970-01-01.90 cannot be read: EIO/)
  })

  it('have every code of damage in the handbook', () => {
    const rows = readFileSync(HANDBOOK, 'utf8').matchAll(/^\| `([a-z]+_[a-z]+)` \|/gm)
    assert.deepEqual(
      [...rows].map(([, code]) => code),
      [...DAMAGE_CODES],
    )
  })

  it('are all in the handbook, with what /health makes of them', () => {
    const rows = readFileSync(HANDBOOK, 'utf8').matchAll(/^\| `([a-z]+)` \|[^|]*\| (503|200) \|/gm)
    assert.deepEqual(
      [...rows].map(([, name, status]) => `${name} ${status}`),
      [...VITAL_PARTS.map((name) => `${name} 503`), ...SHOWN_PARTS.map((name) => `${name} 200`)],
    )
  })
})

describe('the facts of /system and /metrics', () => {
  it('have what became of threads that accept, where there are several', async () => {
    const crew = { size: 2, wanted: 2, running: 1, replaced: { died: 3, hung: 1 } }
    const acceptThreads = { ...crew, socket: { lost: null, renewed: 2 } }
    const facts = await createSystemFacts({ ...parts(), acceptThreads })()
    assert.deepEqual(facts.acceptThreads, {
      ...{ count: 2, wanted: 2, apart: { running: 1, replaced: crew.replaced, socketRenewed: 2 } },
    })
    const alone = await createSystemFacts({ ...parts(), acceptThreads: { ...crew, size: 0, socket: null } })()
    assert.deepEqual(alone.acceptThreads, { count: 1, wanted: 2, apart: null })
  })

  const metricsOf = (given: SystemFactsParts, counters: () => Promise<never>) =>
    readMetrics({
      counts: new EngineCounts(),
      facts: createSystemFacts(given),
      system: { counters, quarantined: () => Promise.reject(new Error('the read thread has ended')) },
    })

  it('are the other ones when the commit thread does not answer', async () => {
    const stuck = {
      telemetry: { bytes: never },
      payloads: { bytes: never },
      care: { overview: never },
      attachments: { attachmentTotals: never },
    }
    const given = parts({ stores: stuck as SystemFactsParts['stores'], factMs: 1 })
    const { disk, retention, health } = await createSystemFacts(given)()
    assert.deepEqual([disk.columnBytes, disk.payloadBytes, retention], [null, null, null])
    assert.deepEqual(
      health.find(({ name }) => name === 'files'),
      { name: 'files', ok: false, detail: 'unknown: no answer within 0.001 s' },
    )
  })

  it('leave what is unknown out of the metrics', async () => {
    const stuck = stores({ telemetry: { bytes: () => Promise.reject(new Error('stuck')) } })
    const metrics = await metricsOf(parts({ stores: stuck }), () => Promise.reject(new Error('ended')))
    const named = (name: string) => metrics.find((metric) => metric.name === name)
    assert.deepEqual(
      named('errata_store_bytes')?.values.map(({ labels }) => labels.store),
      ['payloads'],
    )
    assert.equal(named('errata_issues'), undefined)
    assert.equal(named('errata_quarantined_envelopes'), undefined)
    assert.equal(named('errata_backlog_envelopes')?.values[0]?.value, 2)
  })

  it('tell the same time of the start, however often they are asked', async () => {
    const facts = createSystemFacts(parts())
    const first = await facts()
    assert.equal(first.startedMs, (await facts()).startedMs)
    assert.ok(Math.abs(Date.now() - process.uptime() * 1_000 - first.startedMs) < 5_000)
  })

  it('count what the journal takes on the disk, stored or not', async () => {
    const file = join(journalPath(data), 'journal-0000000000000001.log')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.alloc(5_000))
    assert.equal((await createSystemFacts(parts())()).disk.journalBytes, 5_000)
  })
})
