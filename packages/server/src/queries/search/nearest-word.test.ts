import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nearestWord } from './nearest-word.ts'

const WORDS = ['environment', 'release', 'kind', 'user.email', 'error.type', 'browser', 'url', 'os']

const table: readonly [typed: string, nearest: string | null][] = [
  ['enviroment', 'environment'],
  ['Release', 'release'],
  ['relaese', 'release'],
  ['email', 'user.email'],
  ['type', 'error.type'],
  ['knd', 'kind'],
  ['brwoser', 'browser'],
  ['foo', null],
  ['ox', null],
  ['', null],
  ['something.else', null],
]
for (const [typed, nearest] of table) {
  it(`takes ${JSON.stringify(typed)} for ${nearest}`, () => {
    assert.equal(nearestWord(typed, WORDS), nearest)
  })
}
