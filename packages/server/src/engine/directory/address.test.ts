/** Commands that run beside a server know where it is reached. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { PublicAddress } from '#base/public-address.ts'
import { noteAddress, notedAddress } from './address.ts'

function scratch(t: TestContext): string {
  const data = mkdtempSync(join(tmpdir(), 'errata-address-'))
  t.after(() => rmSync(data, { recursive: true }))
  return data
}

const open = (url: string | null = null) => new PublicAddress({ url, port: 9_000 })

describe('the address of a server', () => {
  it('is noted beside its data, for its owner alone, and replaced by the next start', (t) => {
    const data = scratch(t)
    assert.equal(notedAddress(data), null)
    const address = open()
    address.bound(9_441)
    noteAddress(data, address)
    assert.deepEqual(notedAddress(data), { url: 'http://localhost:9441', isFixed: false })
    assert.equal(statSync(join(data, 'address.json')).mode & 0o077, 0)
    noteAddress(data, open('https://errata.example.com/below'))
    assert.deepEqual(notedAddress(data), { url: 'https://errata.example.com/below', isFixed: true })
  })

  it('is none where what is noted cannot be read', (t) => {
    const data = scratch(t)
    for (const text of [
      '',
      '{',
      '[]',
      '{"url":1}',
      '{"url":"ftp://x"}',
      '{"url":"http://"}',
      `"${'x'.repeat(3_000)}"`,
    ]) {
      writeFileSync(join(data, 'address.json'), text)
      assert.equal(notedAddress(data), null, text.slice(0, 40))
    }
  })

  it('is taken before a guess; one that was kept goes before where it listens, not before --url', () => {
    const listens = { url: 'http://localhost:9441', isFixed: false }
    const fixed = { url: 'https://errata.example.com', isFixed: true }
    const guess = open()
    guess.noted(listens)
    assert.equal(guess.url, listens.url)
    const kept = open()
    kept.kept('http://192.0.2.7:9000')
    kept.noted(listens)
    assert.equal(kept.url, 'http://192.0.2.7:9000')
    kept.noted(fixed)
    assert.equal(kept.url, fixed.url)
    const own = open('https://mine.example.com')
    own.noted(fixed)
    assert.equal(own.url, 'https://mine.example.com')
  })
})
