import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SystemView } from '@errata/server/queries'
import { factsText, tasksOf } from './system-tasks.ts'

/** Everything works, and a backup is made. */
const WELL = {
  health: [{ name: 'journal', ok: true, detail: '' }],
  pressures: [],
  verification: { damages: [], progress: { begunMs: null, endedMs: null, filesDone: 0, files: 0 } },
  retention: { overview: { daysLeft: null, maxDiskBytes: null }, removals: [], runs: [] },
  quarantined: [],
  lostFromJournal: null,
  backup: { last: { atMs: 1, ok: true, detail: '', directory: '' }, schedule: null },
}

function systemWith(change: object): SystemView {
  return { ...WELL, ...change } as unknown as SystemView // tasks and the sentence read these fields and no other
}

function told(change: object): readonly string[] {
  return tasksOf(systemWith(change)).map(({ title, urgency }) => `${urgency}: ${title}`)
}

const pressure = { unit: 'bytes', value: 1, soft: 1, hard: 2 }
const damage = {
  code: 'payloads_damaged',
  file: 'error-2026-11-21.90',
  sinceMs: 5,
  words: {
    what: 'payloads of a day are damaged',
    effect: 'Some events show without details.',
    mend: 'Check the disk.',
  },
}

describe('what to do first', () => {
  it('is nothing while all is well', () => {
    assert.deepEqual(told({}), [])
  })

  const cases: readonly (readonly [object, string])[] = [
    [{ health: [{ name: 'commit', ok: false, detail: 'ended' }] }, 'now: Storing: not working'],
    [{ health: [{ name: 'accept', ok: false, detail: '1 of 2 run' }] }, 'now: Connections: not working'],
    [{ health: [{ name: 'clock', ok: false, detail: 'jumped ahead' }] }, 'soon: The clock jumped ahead'],
    [
      { health: [{ name: 'files', ok: false, detail: 'unknown: no answer' }] },
      'now: Stored data: not working',
    ],
    [{ pressures: [{ ...pressure, name: 'disk', state: 'hard' }] }, 'now: The disk is nearly full'],
    [{ pressures: [{ ...pressure, name: 'memory', state: 'soft' }] }, 'soon: Memory is running low'],
    [{ verification: { ...WELL.verification, damages: [damage] } }, 'soon: Payloads of a day are damaged'],
    [{ retention: { overview: { daysLeft: 11, maxDiskBytes: null } } }, 'soon: The disk is filling up'],
    [{ retention: { overview: { daysLeft: 3, maxDiskBytes: 9 } } }, 'later: The oldest days will be deleted'],
    [{ lostFromJournal: { quantity: 2, lastMs: 5 } }, 'soon: 2 envelopes lost from a damaged journal'],
    [{ quarantined: [{ seq: 1 }] }, 'later: 1 envelope in quarantine'],
    [
      { backup: { last: { atMs: 1, ok: false, detail: 'full' }, schedule: null } },
      'soon: The last backup failed',
    ],
    [{ backup: { last: null, schedule: null } }, 'later: No backup yet'],
  ]
  for (const [change, task] of cases) {
    it(`says: ${task}`, () => {
      assert.deepEqual(told(change), [task])
    })
  }

  it('has the most urgent on top, and damaged files once', () => {
    const change = {
      backup: { last: null, schedule: null },
      verification: { ...WELL.verification, damages: [damage] },
      health: [
        { name: 'files', ok: false, detail: 'payloads of a day are damaged' },
        { name: 'read', ok: false, detail: 'ended' },
      ],
    }
    assert.deepEqual(told(change), [
      'now: Pages and API: not working',
      'soon: Payloads of a day are damaged',
      'later: No backup yet',
    ])
  })
})

describe('the sentence of the system page', () => {
  const said = (backlog: object, overview: object | null) =>
    factsText(systemWith({ backlog, retention: { overview } }))
  const none = { records: 0, oldestMs: 0 }

  it('says how far behind Errata is, from a second on', () => {
    assert.equal(said(none, null), ': everything sent is stored within a second')
    assert.equal(said({ records: 1, oldestMs: 999 }, null), ': everything sent is stored within a second')
    assert.equal(
      said({ records: 1, oldestMs: 61_000 }, null),
      ': the oldest item has waited 1 min to be stored',
    )
    for (const [oldestMs, text] of [
      [1_000, '1 s'],
      [9_999, '9 s'],
      [10_000, '10 s'],
    ] as const)
      assert.equal(said({ records: 1, oldestMs }, null), `: the oldest item has waited ${text} to be stored`)
  })

  it('speaks of what is accepted where a limit refuses some', () => {
    const pressures = [{ ...pressure, name: 'disk', state: 'hard' }]
    const system = systemWith({ backlog: none, retention: { overview: null }, pressures })
    assert.equal(factsText(system), ': what is accepted is stored within a second')
  })

  it('says how long the disk lasts, unless the oldest days make room', () => {
    const stored = ': everything sent is stored within a second'
    const overview = { daysLeft: 11, maxDiskBytes: null }
    assert.equal(said(none, overview), `${stored}, and the disk is full in 11 days`)
    assert.equal(
      said(none, { ...overview, daysLeft: null }),
      `${stored}, and the disk lasts more than a year`,
    )
    assert.equal(said(none, { ...overview, maxDiskBytes: 9 }), stored)
  })
})
