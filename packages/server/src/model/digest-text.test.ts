import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMs } from '#testing/cpu-time.ts'
import { findDigestsInText, findNamedDigests, readDigest } from './digest-text.ts'

describe('digests in a pasted text', () => {
  const TABLE: readonly (readonly [text: string, ...digests: string[]])[] = [
    ['2741933020', '2741933020'],
    ['  "2741933020". ', '2741933020'],
    ['#2741933020', '2741933020'],
    ['2741933020@E394', '2741933020'],
    ['2741933020;E394', '2741933020'],
    ['2741933020, 546184682\n571451113', '2741933020', '546184682', '571451113'],
    ['Digest: 2741933020', '2741933020'],
    ['digest: 7', '7'],
    ['Digest\n2741933020', '2741933020'],
    ["{ digest: '2741933020' }", '2741933020'],
    ['{"digest":"2741933020@E12","name":"Error"}', '2741933020'],
    ['ERROR 2741933020', '2741933020'],
    ['Error code: 2741933020', '2741933020'],
    ['the error code is 2741933020 since Monday', '2741933020'],
    ["This page couldn't load\nReload to try again, or go back.\nERROR 3151513286", '3151513286'],
    [
      'Application error: a server-side exception has occurred while loading shop.example (see the server logs for more information).\nDigest: 2741933020',
      '2741933020',
    ],
    ['<p>Digest: <!-- --><code>2741933020</code></p>', '2741933020'],
    ['<template data-dgst="2741933020"></template>', '2741933020'],
    [
      'Digest: 111111 then Digest: 222222 then ERROR 333333, and Digest: 111111',
      '111111',
      '222222',
      '333333',
    ],
    ['at render 2741933020@E394 in page', '2741933020'],
    // What is no digest.
    [''],
    ['404'],
    ['ERROR 404'],
    ['Error code: 500'],
    ['HTTP 502 from 10.0.0.12:50000'],
    ['ECONNREFUSED 127.0.0.1:54321'],
    ['error 2026-11-21 05:26:17'],
    ['2026-11-21T05:26:17Z'],
    ['order 27419330 of customer 99887766 was not delivered'],
    ['digest: NEXT_REDIRECT;replace;/cart;307;'],
    ['digest: NEXT_HTTP_ERROR_FALLBACK;404'],
    ['digest: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['123456789012345678901'],
    ['Error: 1200000ms passed'],
    ['error 12345.678'],
    ['code 12345678-1234-1234-1234-123456789abc'],
  ]
  for (const [text, ...digests] of TABLE) {
    it(`of ${JSON.stringify(text.slice(0, 70))} are ${digests.join(', ') || 'none'}`, () => {
      assert.deepEqual(findDigestsInText(text), digests)
    })
  }

  it('are at most ten, from at most 20 000 characters', () => {
    const many = Array.from({ length: 50 }, (_, at) => `Digest: ${10_000 + at}`).join('\n')
    assert.equal(findDigestsInText(many).length, 10)
    assert.deepEqual(findDigestsInText(`${' '.repeat(20_000)}Digest: 12345`), [])
  })

  it('are found in linear time', () => {
    for (const part of ['digest ', 'digest:', '<a', '<!--', '1', '1@', 'error \n', '"', '12345 ', 'code-']) {
      const start = cpuMs()
      findDigestsInText(part.repeat(20_000))
      assert.ok(cpuMs() - start < 3_000, part)
    }
  })
})

describe('a value that should be a digest', () => {
  it('is one with one to twenty digits, less the code of the framework', () => {
    assert.equal(readDigest('2741933020'), '2741933020')
    assert.equal(readDigest(' 2741933020@E394 '), '2741933020')
    assert.equal(readDigest('2741933020@TurbopackInternalError'), '2741933020')
    assert.equal(readDigest(2_741_933_020), '2741933020')
    assert.equal(readDigest('1'), '1')
  })

  it('is none otherwise', () => {
    const others = [
      '',
      'x',
      '12 34',
      '-5',
      '1.5',
      1.5,
      -5,
      Number.NaN,
      2 ** 60,
      null,
      {},
      ['1'],
      '1'.repeat(21),
    ]
    const control = [
      'NEXT_NOT_FOUND',
      'NEXT_HTTP_ERROR_FALLBACK;404',
      'DYNAMIC_SERVER_USAGE',
      'BAILOUT_TO_CLIENT_SIDE_RENDERING',
    ]
    for (const value of [...others, ...control]) assert.equal(readDigest(value), null, String(value))
  })
})

describe('digests that a text names itself', () => {
  it('leave out numbers that something else names', () => {
    assert.deepEqual(findNamedDigests("Error: order 123456 failed { digest: '77' }"), ['77'])
    assert.deepEqual(findNamedDigests('ERROR 2741933020'), [])
  })
})
