import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QUIET_HOURS_DEFAULT, type QuietHours } from '#model/alert-rule.ts'
import { isTimeZone, nextMonday, quietUntil } from './quiet-hours.ts'

const NIGHT: QuietHours = { ...QUIET_HOURS_DEFAULT, isOn: true }
const at = (text: string) => Date.parse(`${text}:00Z`)

type Row = readonly [string, QuietHours, string, string | null]

const BERLIN = { ...NIGHT, timeZone: 'Europe/Berlin' }
const NEW_YORK = { ...NIGHT, timeZone: 'America/New_York' }
const KATHMANDU = { ...NIGHT, timeZone: 'Asia/Kathmandu' }

/** A night is an hour shorter or longer, and ends by the clock on the wall. */
const CLOCK_CHANGES: readonly Row[] = [
  ['Berlin goes forward', BERLIN, '2026-03-28T21:00', '2026-03-29T05:00'],
  ['Berlin, the minute before', BERLIN, '2026-03-28T20:59', null],
  ['Berlin, the morning behind it', BERLIN, '2026-03-29T05:00', null],
  ['Berlin, the next night', BERLIN, '2026-03-29T20:00', '2026-03-30T05:00'],
  ['Berlin goes back', BERLIN, '2026-10-24T20:00', '2026-10-25T06:00'],
  ['Berlin, the end is skipped', { ...BERLIN, untilMinute: 150 }, '2026-03-28T22:00', '2026-03-29T01:00'],
  ['New York goes forward', NEW_YORK, '2026-03-08T03:00', '2026-03-08T11:00'],
  ['New York goes back', NEW_YORK, '2026-11-01T02:00', '2026-11-01T12:00'],
  ['New York, in the hour that comes twice', NEW_YORK, '2026-11-01T06:30', '2026-11-01T12:00'],
  ['Kathmandu, the minute before', KATHMANDU, '2026-03-28T16:14', null],
  ['Kathmandu, as they begin', KATHMANDU, '2026-03-28T16:15', '2026-03-29T01:15'],
  ['Kathmandu, as they end', KATHMANDU, '2026-03-29T01:15', null],
]

/** Few minutes a day are not quiet. */
const LOUD_MINUTES: readonly Row[] = [1, 14, 15, 16].flatMap((minutes): readonly Row[] => {
  const hours = { ...NIGHT, fromMinute: 420 + minutes, untilMinute: 420 }
  return [
    [`all day but ${minutes} min`, hours, '2026-11-16T22:03', '2026-11-17T07:00'],
    [`all day but ${minutes} min, the last before`, hours, '2026-11-17T06:59', '2026-11-17T07:00'],
  ]
})

describe('quiet hours', () => {
  const table: readonly Row[] = [
    ['off', { ...NIGHT, isOn: false }, '2026-11-16T23:00', null],
    ['before they begin', NIGHT, '2026-11-16T21:59', null],
    ['as they begin', NIGHT, '2026-11-16T22:00', '2026-11-17T07:00'],
    ['after midnight', NIGHT, '2026-11-17T03:07', '2026-11-17T07:00'],
    ['as they end', NIGHT, '2026-11-17T07:00', null],
    ['of a day', { ...NIGHT, fromMinute: 600, untilMinute: 670 }, '2026-11-17T10:30', '2026-11-17T11:10'],
    [
      'as those of a day begin',
      { ...NIGHT, fromMinute: 600, untilMinute: 670 },
      '2026-11-16T10:00',
      '2026-11-16T11:10',
    ],
    ['as those of a day end', { ...NIGHT, fromMinute: 600, untilMinute: 670 }, '2026-11-16T11:10', null],
    ['of no length', { ...NIGHT, fromMinute: 600, untilMinute: 600 }, '2026-11-16T10:00', null],
    ['of another zone', { ...NIGHT, timeZone: 'Europe/Zurich' }, '2026-11-16T21:30', '2026-11-17T06:00'],
    ['over a weekend', { ...NIGHT, weekends: true }, '2026-11-20T22:30', '2026-11-23T07:00'],
    ['on a Saturday', { ...NIGHT, weekends: true }, '2026-11-21T12:00', '2026-11-23T07:00'],
    // Clocks go back by an hour on that Sunday.
    ['when clocks change', { ...NIGHT, timeZone: 'Europe/Zurich' }, '2026-10-24T21:00', '2026-10-25T06:00'],
  ]
  for (const [name, hours, now, until] of [...table, ...CLOCK_CHANGES, ...LOUD_MINUTES])
    it(`${name}: ${until ?? 'not quiet'}`, () => {
      assert.equal(quietUntil(hours, at(now)), until === null ? null : at(until))
    })

  it('let a mute end on Monday morning', () => {
    assert.equal(nextMonday({ ...NIGHT, isOn: false }, at('2026-11-19T12:00')), at('2026-11-23T00:00'))
    assert.equal(nextMonday(NIGHT, at('2026-11-19T12:00')), at('2026-11-23T07:00'))
    const always = { ...NIGHT, isOn: false }
    assert.equal(nextMonday(always, at('2026-11-22T23:50')), at('2026-11-23T00:00'))
    assert.equal(nextMonday(always, at('2026-11-23T00:00')), at('2026-11-23T00:00'))
    assert.equal(
      nextMonday(always, at('2026-11-23T00:05')),
      at('2026-11-30T00:00'),
      'behind its first minute',
    )
    assert.equal(nextMonday(always, at('2026-11-23T00:15')), at('2026-11-30T00:00'))
  })

  it('know time zones by their names', () => {
    assert.deepEqual([isTimeZone('Europe/Zurich'), isTimeZone('Mars/Olympus')], [true, false])
  })
})
