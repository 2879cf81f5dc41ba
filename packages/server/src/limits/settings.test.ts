import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from './limits.ts'
import { readSettings, type SettingName } from './settings.ts'

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

  it('takes the name of a header for client addresses, in any case', () => {
    const headerOf = (clientAddressHeader: string) => {
      const answer = readSettings({ flags: { clientAddressHeader }, env: {} })
      return answer.ok ? answer.settings.clientAddressHeader : answer.mistakes.join()
    }
    assert.equal(headerOf(' CF-Connecting-IP '), 'cf-connecting-ip')
    assert.match(headerOf('cf connecting ip'), /--client-address-header .* no name of a header/)
    const plain = readSettings({ flags: {}, env: {} })
    assert.equal(plain.ok && plain.settings.clientAddressHeader, 'x-forwarded-for')
  })

  it('refuses an empty directory and a host with spaces', () => {
    assert.match(mistakesOf({ flags: { data: '' } }).join(), /--data .* is empty/)
    assert.match(mistakesOf({ flags: { host: 'a b' } }).join(), /--host .* no address/)
    for (const host of ['', '::1', 'fe80::1%eth0', '127.0.0.1', 'shop.internal']) {
      assert.deepEqual(mistakesOf({ flags: { host } }), [])
    }
  })

  it('refuses a token for metrics that no header can carry, and does not repeat it', () => {
    const longest = 'x'.repeat(max('metricsTokenCharsMax'))
    for (const metricsToken of ['open sesame', 'open-sesame\n', 'sésame-ouvre-toi', `${longest}x`]) {
      const mistakes = mistakesOf({ flags: { metricsToken } }).join()
      assert.match(mistakes, /--metrics-token .* must be 1 to 500 printable ASCII characters without spaces/)
      assert.ok(!mistakes.includes(metricsToken))
    }
    for (const metricsToken of ['', 'open-sesame', longest]) {
      assert.deepEqual(mistakesOf({ flags: { metricsToken } }), [])
    }
  })

  it('takes a mail server with its sender, or neither, and repeats no password', () => {
    const read = (smtpUrl: string, mailFrom: string) => {
      const answer = readSettings({
        flags: {},
        env: { ERRATA_SMTP_URL: smtpUrl, ERRATA_MAIL_FROM: mailFrom },
      })
      return answer.ok ? answer.settings.smtp : answer.mistakes.join('\n')
    }
    assert.equal(read('', ''), null)
    assert.deepEqual(read('smtps://ada%40x.example:pass%20word@mail.example.com', 'Errata <e@x.example>'), {
      host: 'mail.example.com',
      port: 465,
      isTls: true,
      login: { user: 'ada@x.example', password: 'pass word' },
      from: { name: 'Errata', address: 'e@x.example' },
    })
    assert.deepEqual(read('smtp://[::1]:2525', 'e@x.example'), {
      host: '::1',
      port: 2525,
      isTls: false,
      login: null,
      from: { name: 'Errata', address: 'e@x.example' },
    })
    assert.match(String(read('smtp://mail.example.com', '')), /--mail-from .* is needed/)
    assert.match(String(read('', 'e@x.example')), /--smtp-url .* is needed/)
    for (const url of [
      'http://u:hunter2@x.example',
      'smtp://u:hunter2@x.example/path',
      'smtp://u@x.example',
      'x',
    ]) {
      const mistakes = String(read(url, 'e@x.example'))
      assert.match(mistakes, /no address of a mail server/)
      assert.ok(!mistakes.includes('hunter2'))
    }
    for (const from of ['nobody', 'a@b\r\nBcc: c@d', 'a@b, c@d', '<a@b> <c@d>']) {
      assert.match(String(read('smtp://x.example', from)), /no email/, from)
    }
  })

  it('calls private networks only when told to', () => {
    const read = (webhookPrivateTargets: string) => {
      const answer = readSettings({ flags: { webhookPrivateTargets }, env: {} })
      return answer.ok ? answer.settings.webhookPrivateTargets : answer.mistakes.join()
    }
    assert.equal(read('refuse'), false)
    assert.equal(read('allow'), true)
    assert.match(String(read('yes')), /must be refuse or allow/)
  })

  it('lets process threads follow the cores, or be as many as it says', () => {
    const read = (flags: Partial<Record<SettingName, string>>) => {
      const answer = readSettings({ flags, env: {} })
      return answer.ok ? answer.settings.processThreads : answer.mistakes.join()
    }
    assert.deepEqual([read({}), read({ processThreads: '8' })], [null, 8])
    assert.match(String(read({ acceptThreads: '17' })), /--accept-threads .* whole number from 1 to 16/)
    for (const processThreads of ['0', '-1', '1.5', '65', 'all', '1e1'])
      assert.match(String(read({ processThreads })), /--process-threads .* whole number from 1 to 64/)
  })

  it('lets identity providers be private only when told to', () => {
    const read = (signInPrivateIssuers: string) => {
      const answer = readSettings({ flags: { signInPrivateIssuers }, env: {} })
      return answer.ok ? answer.settings.signInPrivateIssuers : answer.mistakes.join()
    }
    assert.deepEqual([read('refuse'), read('allow')], [false, true])
    assert.match(String(read('yes')), /--sign-in-private-issuers .* must be refuse or allow/)
  })
})
