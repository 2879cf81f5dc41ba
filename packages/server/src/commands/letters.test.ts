/** Links by mail, from the command to a real mail server. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import type { Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { createSendMail } from '#notices/channels/mail/send-mail.ts'
import { letterWork } from '#notices/letters.ts'
import { NoticeLoop } from '#notices/notice-loop.ts'
import { type Letter, openPost } from '#testing/notices/receivers.ts'
import { asking, FACTS, openShop, PASSWORD, URL_HERE, unwrap } from '#testing/worlds/api.ts'

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.code)
const MEMBER = 'member@acme.test'
const NEXT = 'a brand new password'

/** A shop whose mails reach a server on loopback when they are delivered. */
async function aHouse(t: TestContext, options: Parameters<typeof openPost>[0] = {}) {
  const shop = await openShop({ mail: true })
  const post = await openPost(options)
  t.after(async () => {
    await shop.close()
    await post.close()
  })
  const { control, clock, publicAddress } = shop
  const logged: string[] = []
  const log = {
    ...silentLog,
    warn: (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  }
  const parts = { clock, random: systemRandom, log }
  const loop = new NoticeLoop({
    messageWork: null,
    ...{
      ...parts,
      queue: control,
      outbox: control,
      mail: true,
      send: async () => assert.fail('no alerts here'),
    },
    letterWork: letterWork({
      ...parts,
      ...{ letters: control, outbox: control },
      sendMail: createSendMail({ smtp: post.smtp }),
      publicAddress,
    }),
  })
  return { ...shop, letters: post.letters, logged, deliver: () => loop.runOnce() }
}

/** Text of a mail as it is read: quoted-printable line ends and signs undone. */
function readable({ raw }: Letter): string {
  return raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function codeIn(letter: Letter | undefined, page: 'reset' | 'join'): string {
  assert.ok(letter !== undefined, 'no mail')
  const found = new RegExp(`${URL_HERE}/${page}/([\\w-]{43})`).exec(readable(letter))?.[1]
  assert.ok(found !== undefined, readable(letter))
  return found
}

describe('a forgotten password', () => {
  it('is replaced by a link that works once, within the hour, and ends sessions and personal tokens', async (t) => {
    const { commands, queries, access, people, clock, letters, deliver } = await aHouse(t)
    const [viewer, scope] = [await people.member.viewer(), await people.member.scope()]
    const mine = { name: 'mine', scopes: ['event:read'], personal: true }
    const { token } = unwrap(await commands.createToken(asking(viewer, scope), mine))
    unwrap(await commands.askForReset(FACTS, { email: ' Member@acme.test' }))
    assert.equal(await deliver(), 1)
    assert.deepEqual(letters[0]?.to, [MEMBER])
    const code = codeIn(letters[0], 'reset')
    assert.deepEqual(await queries.passwordReset(code), { email: MEMBER })
    unwrap(await commands.resetPassword(FACTS, { code, password: NEXT }))
    assert.equal(codeOf(await commands.resetPassword(FACTS, { code, password: NEXT })), 'link_expired')
    assert.equal(await access.authenticateSession(people.member.cookie, clock.now()), null)
    assert.equal(await access.authenticateToken(token, clock.now()), null)
    unwrap(await commands.signIn(FACTS, { email: MEMBER, password: NEXT }))
    const actions = (await queries.audit(await people.owner.scope('acme'), { before: null })).map(
      ({ action }) => action,
    )
    assert.ok(
      actions.includes('password.reset_emailed') && actions.includes('password.reset'),
      actions.join(),
    )
  })

  it('ends with its hour', async (t) => {
    const { commands, clock, letters, deliver } = await aHouse(t)
    unwrap(await commands.askForReset(FACTS, { email: MEMBER }))
    await deliver()
    clock.advance(max('resetMs'))
    const reset = { code: codeIn(letters[0], 'reset'), password: NEXT }
    assert.equal(codeOf(await commands.resetPassword(FACTS, reset)), 'link_expired')
  })

  it('is answered the same for an address that nobody has, which gets no mail', async (t) => {
    const { commands, letters, deliver, control } = await aHouse(t)
    const known = await commands.askForReset(FACTS, { email: MEMBER })
    const unknown = await commands.askForReset(FACTS, { email: 'nobody@acme.test' })
    assert.deepEqual(known, unknown)
    assert.equal(await deliver(), 1)
    assert.deepEqual(
      letters.map(({ to }) => to),
      [[MEMBER]],
    )
    assert.equal(await control.nextLetterMs(), null)
  })

  it('is bounded per account, whether there is one or not, and per address', async (t) => {
    const { commands } = await aHouse(t)
    const ask = async (email: string, address: string) =>
      codeOf(await commands.askForReset({ ...FACTS, address }, { email }))
    for (const [place, email] of [MEMBER, 'nobody@acme.test'].entries()) {
      for (let tries = 0; tries < max('resetsPerAccount'); tries++)
        assert.equal(await ask(email, `192.0.2.${10 * (place + 1) + tries}`), 'ok')
      assert.equal(await ask(email, '192.0.2.99'), 'too_many_attempts')
    }
    for (let tries = 0; tries < max('resetsPerAddress'); tries++)
      assert.equal(await ask(`p${tries}@acme.test`, '192.0.2.200'), 'ok')
    assert.equal(await ask('one-more@acme.test', '192.0.2.200'), 'too_many_attempts')
  })

  it('leaves no code in what is stored or logged', async (t) => {
    const responses = { rcpt: true }
    const { commands, reader, people, letters, logged, deliver } = await aHouse(t, {
      onRcptTo: (_, __, done) =>
        done(responses.rcpt ? null : Object.assign(new Error('no'), { responseCode: 550 })),
    })
    unwrap(await commands.askForReset(FACTS, { email: MEMBER }))
    await deliver()
    const code = codeIn(letters[0], 'reset')
    const scope = await people.owner.scope('acme')
    const stored = JSON.stringify(await reader.audit(scope, { limit: 50, before: null }))
    responses.rcpt = false
    unwrap(await commands.askForReset(FACTS, { email: 'viewer@acme.test' }))
    await deliver()
    assert.equal(logged.length, 1, 'a mail that failed is logged')
    assert.ok(!stored.includes(code) && !logged.join('\n').includes(code))
    assert.doesNotMatch(logged.join('\n'), /reset\/[\w-]{43}/)
  })

  it('says what to do where the server sends no mail', async (t) => {
    const shop = await openShop()
    t.after(() => shop.close())
    assert.equal(codeOf(await shop.commands.askForReset(FACTS, { email: MEMBER })), 'conflict')
  })

  it('names the field that is wrong', async (t) => {
    const { commands } = await aHouse(t)
    const refused = await commands.askForReset(FACTS, { email: 'lena@' })
    assert.ok(!refused.ok)
    assert.deepEqual(refused.fields, { email: ['Enter an email such as name@example.com.'] })
  })
})

describe('an invitation by mail', () => {
  const INVITED = { email: 'new@acme.test', role: 'member', teams: [] } as const

  it('carries a link that works, beside the one that is shown', async (t) => {
    const { commands, queries, people, letters, deliver } = await aHouse(t)
    const owner = asking(await people.owner.viewer(), await people.owner.scope('acme'))
    const { code: shown } = unwrap(await commands.run('invite', owner, { ...INVITED, byMail: true }))
    await deliver()
    assert.deepEqual(letters[0]?.to, ['new@acme.test'])
    assert.match(readable(letters[0]), /Ada invited you to join Acme in Errata, as a member\./)
    const code = codeIn(letters[0], 'join')
    assert.notEqual(code, shown)
    const [open] = await queries.invitations(owner.scope)
    assert.equal(open?.letter?.state, 'sent')
    assert.equal((await queries.invitation(shown))?.email, (await queries.invitation(code))?.email)
    unwrap(await commands.acceptInvitation(FACTS, { code, name: 'New', password: PASSWORD }))
    assert.equal(await queries.invitation(shown), null)
  })

  it('tells why it could not be sent', async (t) => {
    const { commands, queries, people, deliver } = await aHouse(t, {
      onRcptTo: (_, __, done) => done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
    })
    const owner = asking(await people.owner.viewer(), await people.owner.scope('acme'))
    unwrap(await commands.run('invite', owner, { ...INVITED, byMail: true }))
    await deliver()
    const [open] = await queries.invitations(owner.scope)
    assert.equal(open?.letter?.state, 'failed')
    assert.match(open?.letter?.says ?? '', /no such mailbox/)
  })

  it('keeps its link over tries, for a mail may arrive although its server does not say so', async (t) => {
    const taken: string[] = []
    const { commands, queries, clock, people, deliver } = await aHouse(t, {
      onData(stream, _session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          taken.push(Buffer.concat(chunks).toString('utf8'))
          done(taken.length === 1 ? Object.assign(new Error('try later'), { responseCode: 451 }) : null)
        })
      },
    })
    const owner = asking(await people.owner.viewer(), await people.owner.scope('acme'))
    unwrap(await commands.run('invite', owner, { ...INVITED, byMail: true }))
    await deliver()
    assert.equal((await queries.invitations(owner.scope))[0]?.letter?.state, 'waiting')
    clock.advance(2 * max('noticeRetryMs'))
    assert.equal(await deliver(), 1)
    const codes = taken.map((raw) => codeIn({ from: '', to: [], user: null, raw }, 'join'))
    assert.equal(codes.length, 2)
    assert.equal(codes[0], codes[1])
    assert.notEqual(await queries.invitation(codes[0] ?? ''), null)
  })

  it('is bounded per person', async (t) => {
    const { commands, people } = await aHouse(t)
    const owner = asking(await people.owner.viewer(), await people.owner.scope('acme'))
    for (let count = 0; count < max('invitationMailsPerPerson'); count++)
      unwrap(await commands.run('invite', owner, { ...INVITED, byMail: true }))
    assert.equal(
      codeOf(await commands.run('invite', owner, { ...INVITED, byMail: true })),
      'too_many_attempts',
    )
    unwrap(await commands.run('invite', owner, INVITED))
  })
})
