import assert from 'node:assert/strict'
import { test } from 'node:test'
import { max } from '#limits/limits.ts'
import { releaseNameRule } from './release-rules.ts'

test('names that tools and people give are kept as they are', () => {
  for (const name of [
    'web@1.4.0+7',
    'a b',
    'feature/x',
    '%2F',
    '/',
    'a\\b',
    '...',
    'v1..2',
    '#1?x',
    'Ü',
    '7',
  ])
    assert.equal(releaseNameRule(name), null, name)
  assert.equal(releaseNameRule('x'.repeat(max('releaseCharsMax'))), null)
})

test('names that no address can hold, or that say something else, are refused', () => {
  const refused = [
    '',
    ' ',
    ' a',
    'latest',
    'Latest',
    '.',
    '..',
    'a/../b',
    './a',
    'a\nb',
    'a\tb',
    'a\0',
    '\x7f',
    '\ud800',
  ]
  for (const name of refused) assert.notEqual(releaseNameRule(name), null, JSON.stringify(name))
  assert.notEqual(releaseNameRule('x'.repeat(max('releaseCharsMax') + 1)), null)
})
