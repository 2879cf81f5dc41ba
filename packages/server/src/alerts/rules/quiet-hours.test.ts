import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QUIET_HOURS_DEFAULT, type QuietHours } from '#model/alert-rule.ts'
import { isTimeZone, nextMonday, quietUntil } from './quiet-hours.ts'

const NIGHT: QuietHours = { ...QUIET_HOURS_DEFAULT, isOn: true }
const at = (text: string) => Date.parse(`${text}:00Z`)

describe('quiet hours', () => {
  const table: readonly [string, QuietHours, string, string | null][] = [
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
  for (const [name, hours, now, until] of table)
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
