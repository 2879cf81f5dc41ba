import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { letterText } from './letter-text.ts'

const NOW = Date.UTC(2026, 10, 20)
const URL_THERE = 'https://errata.example.com/join/abc'
const to = { email: 'new@example.com', name: '' }
const at = { url: URL_THERE, nowMs: NOW }

describe('a letter', () => {
  it('says of a reset for whom it is, how long it works, and that ignoring it changes nothing', () => {
    const { subject, text, html } = letterText(
      { to, expiresMs: NOW + HOUR_MS, invitation: null, signIn: null },
      at,
    )
    assert.equal(subject, 'Reset your Errata password')
    for (const each of [text, html]) {
      assert.match(each, /new@example\.com/)
      assert.match(each, /works once and expires in 60 minutes/)
      assert.match(each, /Your password won’t change/)
      assert.ok(each.includes(URL_THERE))
    }
  })

  it('says of a sign-in from which device and address it came, and what to do', () => {
    const signIn = { device: 'Safari on iOS', address: '192.0.2.9' }
    const { subject, text } = letterText({ to, expiresMs: NOW + DAY_MS, invitation: null, signIn }, at)
    assert.equal(subject, 'New sign-in to Errata')
    assert.match(
      text,
      /^new@example\.com signed in from a new device: Safari on iOS, address 192\.0\.2\.9\.\n/,
    )
    assert.match(text, /end that session and change your password/)
  })

  it('takes names as text, on one line', () => {
    const invitation = { organisation: 'A & <b>\nB', role: 'owner', by: '"Eve"\r\nBcc: x@y.example' } as const
    const { subject, text, html } = letterText(
      { to, expiresMs: NOW + 7 * DAY_MS, invitation, signIn: null },
      at,
    )
    assert.equal(subject, 'Join A & <b> B in Errata')
    assert.match(text, /^"Eve" Bcc: x@y\.example invited you to join A & <b> B in Errata, as an owner\.\n/)
    assert.match(text, /works once and expires in 7 days/)
    assert.ok(html.includes('&quot;Eve&quot; Bcc: x@y.example invited you to join A &amp; &lt;b&gt; B'))
    assert.ok(!html.includes('<b>'))
  })
})
