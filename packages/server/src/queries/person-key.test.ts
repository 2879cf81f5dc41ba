import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PersonRef, personKey } from './person-key.ts'

const LONG = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`

describe('the name that a person is deleted by', () => {
  for (const [by, person, key] of [
    ['id', ' Abc ', 'id:Abc'],
    ['email', 'Ada@Example.com', 'email:ada@example.com'],
    ['email', LONG, `email:${LONG}`.slice(0, 200)],
    ['address', '2A00:1450:0:0:0:0:0:1', 'ip:2a00:1450::1'],
    ['address', '::ffff:192.0.2.7', 'ip:192.0.2.7'],
    ['address', '192.0.2', null],
    ['email', 'ada', null],
    ['email', `${'a'.repeat(300)}@b.c`, null],
    ['id', '  ', null],
  ] as const satisfies readonly (readonly [PersonRef['by'], string, string | null])[]) {
    it(`is ${key?.slice(0, 30) ?? 'refused'} for the ${by} ${person.slice(0, 30)}`, () => {
      const result = personKey({ by, person })
      assert.deepEqual(result.ok ? result.value : null, key)
    })
  }
})
