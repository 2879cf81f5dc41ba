import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { FRAME } from '#wire/names.ts'
import { actions, features, handlers, loaders } from './features.server.ts'
import { pages } from './pages.ts'

test('every page has a loader, and every loader a page', () => {
  const ids = [FRAME, ...pages.map(({ id }) => id)]
  assert.deepEqual(Object.keys(loaders).sort(), ids.sort())
})

test('the browser and the server list the same features', () => {
  assert.deepEqual(
    features.flatMap(({ routes }) => routes),
    pages,
  )
})

test('page ids, page patterns and action names are unique', () => {
  for (const names of [
    pages.map(({ id }) => id),
    pages.map(({ path }) => path),
    handlers.map(({ path }) => path),
    actions.map(({ name }) => name),
  ]) {
    assert.equal(new Set(names).size, names.length)
  }
})

test('the file of every view exists', () => {
  for (const { id, file } of pages) {
    assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), `${id}: ${file}`)
  }
})

test('pages below an organisation ask for a permission in it, all others do not', () => {
  const words = ['anyone', 'signed-in', 'operator']
  for (const { path, access } of [...pages, ...handlers]) {
    assert.equal(words.includes(access), !path.startsWith('/:org'), path)
  }
})
