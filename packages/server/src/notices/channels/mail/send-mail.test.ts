import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { aNotice, anIssue } from '#testing/builders/notice.ts'
import { ERRATA_URL, KEY, openPost, type Post } from '#testing/notices/receivers.ts'
import type { Attempt } from '../attempt.ts'
import { mailText } from './mail-text.ts'
import { createSendMail } from './send-mail.ts'

const posts: Post[] = []
after(() => Promise.all(posts.map((post) => post.close())))
const stop = `${ERRATA_URL}/account/alerts`

async function postOf(...args: Parameters<typeof openPost>): Promise<Post> {
  const post = await openPost(...args)
  posts.push(post)
  return post
}

function aMail(change: Partial<Parameters<ReturnType<typeof createSendMail>>[0]> = {}) {
  return {
    ...mailText(aNotice(), ERRATA_URL),
    to: { name: 'Ada', address: 'ada@example.com' },
    key: KEY,
    host: 'errata.example.com',
    stop,
    signal: new AbortController().signal,
    ...change,
  }
}

/** Header lines, unfolded. */
function headersOf(raw: string): readonly string[] {
  const [head = ''] = raw.split('\r\n\r\n')
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}

/** Body with soft line breaks and escapes of quoted-printable undone. */
function readable(raw: string): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Whether no other mail would arrive either. */
function isAway(attempt: Attempt): boolean {
  return attempt.outcome === 'failed' && attempt.isServerAway === true
}

describe('mail', () => {
  it('says in text and HTML what failed, where, how often, and how to stop', async () => {
    const post = await postOf()
    const attempt = await createSendMail({ smtp: post.smtp })(aMail())
    assert.deepEqual(attempt, { outcome: 'sent', says: 'Accepted by the mail server.' })
    const [letter] = post.letters
    assert.ok(letter !== undefined)
    assert.deepEqual([letter.from, letter.to], ['errata@example.com', ['ada@example.com']])
    const headers = headersOf(letter.raw)
    for (const line of [
      'From: Errata <errata@example.com>',
      'To: Ada <ada@example.com>',
      'Subject: SHOP-12 is new: TypeError: total is undefined',
      `Message-ID: <${KEY}@errata.example.com>`,
      `Errata-Notice: ${KEY}`,
      'Auto-Submitted: auto-generated',
      `List-Unsubscribe: <${stop}>`,
    ]) {
      assert.ok(headers.includes(line), `${line}\n${headers.join('\n')}`)
    }
    const body = readable(letter.raw)
    for (const text of [
      'Server-side exception, digest 2674428404, in a server action on /orders/[id].',
      'app/cart.ts in total',
      'production',
      'shop@2.0.1',
      '1,284, 3 users affected',
      `${ERRATA_URL}/acme/issues/SHOP-12`,
      `${ERRATA_URL}/acme/traces/${'2'.repeat(32)}`,
      stop,
    ]) {
      assert.equal(body.split(text).length >= 3, true, `${text} is in text and HTML\n${body}`)
    }
  })

  it('gives a repeat the same Message-ID', async () => {
    const post = await postOf()
    const send = createSendMail({ smtp: post.smtp })
    await send(aMail())
    await send(aMail())
    const ids = post.letters.map(({ raw }) => headersOf(raw).find((line) => line.startsWith('Message-ID')))
    assert.deepEqual(ids, [
      `Message-ID: <${KEY}@errata.example.com>`,
      `Message-ID: <${KEY}@errata.example.com>`,
    ])
  })

  it('says the same below an alert in both of its forms', () => {
    const { text, html } = mailText(aNotice(), ERRATA_URL)
    const words = html.replaceAll(/<[^>]*>/g, '')
    for (const line of text.split('-- \n')[1]?.trim().split('\n') ?? [])
      assert.ok(words.includes(line.replace(/: http.*$/, '')), line)
  })

  it('lets no title, name or culprit add a header, a receiver or markup', async () => {
    const post = await postOf()
    const evil =
      'x\r\nBcc: mallory@example.com\r\n\r\n<script>alert(1)</script>\u2028\u202e\u0000"><img src=//evil>'
    const notice = aNotice({
      issue: anIssue({ title: evil, culprit: evil, route: evil, release: evil, environment: evil }),
      project: { ...aNotice().project, name: evil },
    })
    const attempt = await createSendMail({ smtp: post.smtp })(
      aMail({ ...mailText(notice, ERRATA_URL), to: { name: evil, address: 'ada@example.com' } }),
    )
    assert.equal(attempt.outcome, 'sent')
    const [letter] = post.letters
    assert.deepEqual(letter?.to, ['ada@example.com'])
    const headers = headersOf(letter?.raw ?? '')
    assert.ok(!headers.some((line) => /^bcc:/i.test(line)), headers.join('\n'))
    const { html } = mailText(notice, ERRATA_URL)
    assert.ok(!/<script|<img/i.test(html))
  })

  it('makes one line of any title and escapes all of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (title) => {
        const { subject, html } = mailText(aNotice({ issue: anIssue({ title, culprit: title }) }), ERRATA_URL)
        assert.ok(!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(subject))
        assert.ok([...subject].length <= 200)
        const own = mailText(aNotice({ issue: anIssue({ title: '', culprit: 'x' }) }), ERRATA_URL).html
        assert.equal(html.split('<').length <= own.split('<').length, true)
      }),
    )
  })

  it('logs in where it was told to, and reports a refused login without the password', async () => {
    const login = { user: 'errata', password: 'hunter2-hunter2' }
    const post = await postOf({}, login)
    assert.equal((await createSendMail({ smtp: post.smtp })(aMail())).outcome, 'sent')
    assert.equal(post.letters[0]?.user, 'errata')
    const closed = await postOf({ onAuth: (_auth, _session, done) => done(new Error('no')) }, login)
    const refused = await createSendMail({ smtp: closed.smtp })(aMail())
    assert.equal(refused.outcome, 'failed')
    assert.match(refused.says, /refused the login/)
    assert.equal(isAway(refused), true)
    assert.ok(!refused.says.includes(login.password))
  })

  it('takes the server’s last word for it, and tries again after any other', async () => {
    for (const [code, outcome, away] of [
      [550, 'refused', false],
      [451, 'failed', false],
      [421, 'failed', true],
    ] as const) {
      const onRcptTo = (_address: unknown, _session: unknown, done: (error?: Error) => void) =>
        done(Object.assign(new Error('no such person'), { responseCode: code }))
      const post = await postOf({ onRcptTo })
      const attempt = await createSendMail({ smtp: post.smtp })(aMail())
      assert.equal(attempt.outcome, outcome, attempt.says)
      assert.equal(isAway(attempt), away, 'about one mail, or about all')
      if (!away) assert.match(attempt.says, new RegExp(`${code} no such person`))
    }
  })

  it('gives up on a server that is silent or absent', async () => {
    const silent: Server = createServer(() => {})
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    assert.ok(address !== null && typeof address !== 'string')
    const smtp = {
      host: '127.0.0.1',
      port: address.port,
      isTls: false,
      login: null,
      from: { name: 'E', address: 'e@x.example' },
    }
    const attempt = await createSendMail({ smtp, timeoutMs: 60 })(aMail())
    assert.equal(attempt.outcome, 'failed')
    assert.match(attempt.says, /longer than/)
    assert.equal(isAway(attempt), true)
    silent.close()
    await once(silent, 'close')
    const absent = await createSendMail({ smtp })(aMail())
    assert.match(absent.says, /cannot be reached/)
    assert.equal(isAway(absent), true)
  })

  /** A server with STARTTLS and a certificate that it made itself, as Debian's Postfix installs it; and what it saw. */
  async function openSelfSigned(login: Parameters<typeof openPost>[1] = null) {
    const seen: { readonly isSecure: boolean; readonly ehlo: string }[] = []
    const post = await postOf(
      {
        disabledCommands: [],
        onMailFrom(_address, session, done) {
          seen.push({ isSecure: session.secure, ehlo: session.hostNameAppearsAs })
          done()
        },
      },
      login,
    )
    return { ...post, seen }
  }
  /** The same machine, by an address that is not known to be it. */
  const ELSEWHERE = '::ffff:127.0.0.1'

  it('takes TLS with whatever certificate where no network is crossed, or nothing secret is sent', async () => {
    const login = { user: 'errata', password: 'hunter2-hunter2' }
    for (const [host, own] of [
      ['127.0.0.1', null],
      ['localhost', login],
      [ELSEWHERE, null],
    ] as const) {
      const { smtp, seen } = await openSelfSigned(own)
      const attempt = await createSendMail({ smtp: { ...smtp, host } })(aMail())
      assert.equal(attempt.outcome, 'sent', `${host}: ${attempt.says}`)
      assert.deepEqual(seen, [{ isSecure: true, ehlo: 'errata.example.com' }])
    }
  })

  it('refuses a certificate where a login would cross a network, and calls it that', async () => {
    const { smtp } = await openSelfSigned({ user: 'errata', password: 'hunter2-hunter2' })
    const attempt = await createSendMail({ smtp: { ...smtp, host: ELSEWHERE } })(aMail())
    assert.match(
      attempt.says,
      /^The mail server’s certificate was refused: it (?:is self-signed|has expired)\.$/,
    )
    assert.equal(isAway(attempt), true)
  })

  it('is greeted with the public host, or its address', async () => {
    for (const [host, name] of [
      ['errata.example.com', 'errata.example.com'],
      ['192.0.2.7', '[192.0.2.7]'],
      ['2001:db8::7', '[ipv6:2001:db8::7]'],
    ] as const) {
      const { smtp, seen } = await openSelfSigned()
      assert.equal((await createSendMail({ smtp })(aMail({ host }))).outcome, 'sent')
      assert.deepEqual(
        seen.map(({ ehlo }) => ehlo),
        [name],
      )
    }
  })
})
