import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestOf, withoutInstallPaths } from './digest.ts'

function failure(stack: string, message = 'no such thing'): Error {
  const error = new TypeError(message)
  error.stack = `TypeError: ${message}\n${stack}`
  return error
}

const HERE =
  '    at load (file:///srv/errata/dist/web/server.js:10:5)\n    at run (/srv/errata/node_modules/x/run.js:1:2)'
const THERE =
  '    at load (file:///home/ada/app/server.js:10:5)\n    at run (C:\\apps\\errata\\node_modules\\x\\run.js:1:2)'

test('a digest is ten decimal digits', () => {
  for (const thrown of [new Error('a'), failure(HERE), 'text', null, undefined, 7, Object.create(null)]) {
    assert.match(digestOf(thrown), /^[1-9]\d{9}$/)
  }
})

test('the same failure has the same digest in another folder and on another system', () => {
  assert.equal(digestOf(failure(HERE)), digestOf(failure(THERE)))
})

test('type, message and place of a failure each change its digest', () => {
  const digests = [
    failure(HERE),
    failure(HERE, 'another thing'),
    failure(HERE.replace('10:5', '11:5')),
    Object.assign(failure(HERE), { name: 'RangeError' }),
  ].map(digestOf)
  assert.equal(new Set(digests).size, digests.length)
})

test('a digest of a known failure never changes', () => {
  assert.equal(digestOf(failure(HERE)), '4384526818')
})

test('install paths go, names of files and of dependencies stay', () => {
  assert.equal(
    withoutInstallPaths('at a (file:///srv/x/node_modules/@s/core/i.js:1:2)'),
    'at a (@s/core/i.js:1:2)',
  )
  assert.equal(withoutInstallPaths('at b (/srv/x/server.js:3:4)'), 'at b (server.js:3:4)')
  assert.equal(withoutInstallPaths('at node:internal/x:1:2'), 'at node:internal/x:1:2')
})
