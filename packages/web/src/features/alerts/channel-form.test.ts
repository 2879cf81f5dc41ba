import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHANNEL_FORMS, TRACKER_FORMS } from '@errata/server/commands'
import { readAddress } from '#parts/address.ts'
import { fieldName, serviceValues } from '#parts/service-fields.ts'
import { SECRET_FIELD } from '#wire/names.ts'
import { lossText } from './channel-form.ts'
import { LOG, logQuery, senderName } from './log-params.ts'

describe('the form of a channel', () => {
  it('names secrets so that what was typed is never put into a page again', () => {
    for (const { kind, fields } of [...CHANNEL_FORMS, ...TRACKER_FORMS])
      for (const field of fields)
        if (field.isSecret) assert.match(fieldName(field), SECRET_FIELD, `${kind} ${field.name}`)
  })

  it('gives values back by the names of the kind’s own fields', () => {
    for (const { fields } of CHANNEL_FORMS) {
      const typed = Object.fromEntries(fields.map((field) => [fieldName(field), `of ${field.name}`]))
      const values = Object.fromEntries(fields.map(({ name }) => [name, `of ${name}`]))
      assert.deepEqual(serviceValues({ ...typed, other: 'x' }), values)
    }
  })

  it('says in numbers what goes with it', () => {
    assert.equal(
      lossText({ rules: [], waiting: 0 }),
      'No alert rule uses it; no messages are waiting. Sent messages stay in the log.',
    )
    assert.equal(
      lossText({ rules: [1, 2], waiting: 1 }),
      '2 rules use it and will no longer notify it; 1 waiting message is cancelled. Sent messages stay in the log.',
    )
  })
})

describe('the address of the log', () => {
  it('keeps what was chosen and begins at the first page', () => {
    const address = readAddress(LOG, new URLSearchParams('rule=7&kind=slack&before=9&message=8&days=30'))
    assert.deepEqual(
      [address.rule, address.kind, address.before, address.message, address.days],
      ['7', 'slack', '9', '8', '30'],
    )
    const { before, message, state, days } = logQuery(address, { state: 'failed' })
    assert.deepEqual([before, message, state, days], [null, null, 'failed', '30'])
  })

  it('takes 14 days for what is none of the choices', () => {
    assert.equal(readAddress(LOG, new URLSearchParams('days=15')).days, '14')
    assert.equal(logQuery(readAddress(LOG, new URLSearchParams())).days, null)
  })

  it('names the rule that sent an entry, or the project whose own alert it is', () => {
    const rule = { name: 'All new' }
    assert.equal(senderName({ rule, ofProject: null }), 'All new')
    assert.equal(senderName({ rule: null, ofProject: { name: 'Shop' } }), 'Alerts of Shop')
    assert.equal(senderName({ rule: null, ofProject: null }), null)
  })
})
