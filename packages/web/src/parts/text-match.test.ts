import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsText, nearText } from './text-match.ts'

test('a name has every word of a text, in any case and with or without accents', () => {
  for (const [text, name, fits] of [
    ['QUIET hours', 'Quiet hours: account', true],
    ['hours quiet', 'Quiet hours: account', true],
    ['rené', 'Rene Moreau', true],
    ['RENE', 'René Moreau', true],
    ['rénè', 'René Moreau', true],
    ['  quiet  ', 'Quiet hours', true],
    ['quiet night', 'Quiet hours', false],
    ['qiuet', 'Quiet hours', false],
    ['', 'Quiet hours', true],
  ] as const)
    assert.equal(fitsText(text)(name), fits, `${text} in ${name}`)
})

test('a name is near a text that has one slip in a word of four letters or more', () => {
  for (const [text, name, near] of [
    ['qiuet', 'Quiet hours', true],
    ['quet', 'Quiet hours', true],
    ['quuiet', 'Quiet hours', true],
    ['quoet', 'Quiet hours', true],
    ['wuiet', 'Quiet hours', true],
    ['quiet huors', 'Quiet hours', true],
    ['retentoin', 'Retention of events', true],
    ['chekout', '/checkout', true],
    ['paiements', 'Payments', false],
    ['qteui', 'Quiet hours', false],
    ['reten', 'Retention', true],
    ['tention', 'Retention', false],
    ['sol', 'sso', false],
    ['slo', 'Slot', true],
    ['…', 'Quiet hours', false],
  ] as const)
    assert.equal(nearText(text)(name), near, `${text} near ${name}`)
})
