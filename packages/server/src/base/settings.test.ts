import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSettings } from './settings.ts'

function mistakesOf(sources: Partial<Parameters<typeof readSettings>[0]>): readonly string[] {
  const answer = readSettings({ flags: {}, env: {}, ...sources })
  return answer.ok ? [] : answer.mistakes
}

describe('settings', () => {
  it('lists every mistake of flags, variables and file at once', () => {
    const mistakes = mistakesOf({
      flags: { port: '99999' },
      env: { ERRATA_URL: 'ftp://shop.example', ERRATA_TRUSTED_PROXIES: 'nonsense' },
      file: { logLevel: 'loud', wat: 1 },
    })
    const about = ['wat', '--port', '--url', '--trusted-proxies', '--log-level']
    assert.equal(mistakes.length, about.length, mistakes.join('\n'))
    for (const [index, name] of about.entries()) assert.ok(mistakes[index]?.includes(name), mistakes[index])
  })

  it('says of a value in the file that it has no meaning, instead of passing over it', () => {
    for (const file of [{ port: true }, { url: {} }, { host: null }, { trustedProxies: [1] }]) {
      const [name = ''] = Object.keys(file)
      assert.match(mistakesOf({ file }).join(), new RegExp(`"${name}", which must be a text`))
    }
    assert.match(mistakesOf({ file: { constructor: 'x' } }).join(), /no setting/)
    assert.deepEqual(mistakesOf({ file: { port: 9001, trustedProxies: ['10.0.0.1', '10.1.0.0/16'] } }), [])
  })

  it('takes only a DSN to report to, and does not repeat what is wrong with its key', () => {
    for (const reportDsn of [
      'nonsense',
      'http://errors.example/1',
      'http://key@errors.example/',
      'ftp://key@errors.example/1',
    ]) {
      const mistakes = mistakesOf({ flags: { reportDsn } })
      assert.match(mistakes.join(), /--report-dsn .* is no DSN/)
      assert.ok(!mistakes.join().includes(reportDsn))
    }
    assert.deepEqual(mistakesOf({ flags: { reportDsn: 'https://key@errors.example/sub/1' } }), [])
  })

  it('refuses an empty directory and a host with spaces', () => {
    assert.match(mistakesOf({ flags: { data: '' } }).join(), /--data .* is empty/)
    assert.match(mistakesOf({ flags: { host: 'a b' } }).join(), /--host .* no address/)
    for (const host of ['', '::1', 'fe80::1%eth0', '127.0.0.1', 'shop.internal']) {
      assert.deepEqual(mistakesOf({ flags: { host } }), [])
    }
  })
})
