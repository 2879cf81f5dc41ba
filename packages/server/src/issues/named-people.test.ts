import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { kindOfName, NamedPeople } from './named-people.ts'

describe('a tag that names a deleted person', () => {
  it('says their id under a key for ids alone', () => {
    const people = new NamedPeople(['id:42'])
    for (const key of ['user.id', 'user_id']) assert.ok(people.has({ key, value: '42' }))
    assert.ok(people.has({ key: 'user', value: 'id:42' }))
    assert.ok(!people.has({ key: 'cart', value: '42' }))
    assert.equal(kindOfName('id:42'), 'id')
  })

  it('says their address under any key and in any case', () => {
    const people = new NamedPeople(['email:ada@example.com'])
    assert.ok(people.has({ key: 'customer', value: 'Ada@Example.com' }))
    assert.ok(people.values.includes('ada@example.com'))
    assert.ok(!people.has({ key: 'customer', value: 'bob@example.com' }))
  })

  it('says their network address however it is spelled', () => {
    const people = new NamedPeople(['ip:2001:db8::1'])
    assert.ok(people.has({ key: 'peer', value: '2001:DB8:0:0:0:0:0:1' }))
    assert.ok(!people.has({ key: 'peer', value: '2001:db8::2' }))
  })
})
