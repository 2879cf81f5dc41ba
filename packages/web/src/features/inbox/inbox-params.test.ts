import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAddress } from '#parts/address.ts'
import { INBOX, inboxQuery } from './inbox-params.ts'

describe('the address of the inbox', () => {
  const address = readAddress(INBOX, new URLSearchParams('show=all&kind=mention&before=7'))

  it('goes on with older entries, and begins anew with every other choice', () => {
    assert.equal(inboxQuery(address, { before: 5 }).before, 5)
    for (const change of [{}, { isAll: false }, { kind: null }])
      assert.equal(inboxQuery(address, change).before, null)
  })
})
