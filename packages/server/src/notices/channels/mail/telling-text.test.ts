import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IssueTelling } from '#ports/letters.ts'
import { tellingText } from './telling-text.ts'

const LINKS = {
  open: 'https://e.example/acme/issues/SHOP-1/activity',
  stop: 'https://e.example/account/alerts',
}
const telling = (change: Partial<IssueTelling> = {}): IssueTelling => ({
  organisation: 'acme',
  issue: { shortId: 'SHOP-1', title: 'TypeError: boom' },
  kind: 'commented',
  detail: { text: 'look\nhere' },
  by: 'Ada',
  isMention: false,
  isToReceiver: false,
  ...change,
})

describe('an email to a subscriber of an issue', () => {
  const CASES: readonly (readonly [Partial<IssueTelling>, string])[] = [
    [{}, 'SHOP-1: Ada commented'],
    [{ isMention: true }, 'SHOP-1: Ada mentioned you'],
    [{ kind: 'resolved', detail: {} }, 'SHOP-1: Ada resolved it'],
    [{ kind: 'resolved', detail: { in: 'release', release: 'shop@2' } }, 'SHOP-1: Ada resolved it in shop@2'],
    [{ kind: 'unresolved', detail: {} }, 'SHOP-1: Ada unresolved it'],
    [{ kind: 'assigned', detail: { name: 'Rosa' }, isToReceiver: true }, 'SHOP-1: Ada assigned you'],
    [{ kind: 'assigned', detail: { name: 'Rosa' } }, 'SHOP-1: Ada assigned Rosa'],
    [{ kind: 'unassigned', detail: {} }, 'SHOP-1: Ada unassigned it'],
    [{ kind: 'regressed', detail: {}, by: 'Errata' }, 'SHOP-1: It regressed'],
    [{ kind: 'unarchived', detail: {}, by: 'Errata' }, 'SHOP-1: It was unarchived'],
  ]
  for (const [change, subject] of CASES)
    it(`says “${subject}”`, () => assert.equal(tellingText(telling(change), LINKS).subject, subject))

  it('has the comment, the way to the issue and the way out, in text and HTML', () => {
    const { text, html } = tellingText(telling(), LINKS)
    for (const each of [text, html]) {
      assert.ok(each.includes('look\nhere') && each.includes('TypeError: boom'))
      assert.ok(each.includes(LINKS.open) && each.includes(LINKS.stop))
    }
  })

  it('takes what people and payloads say as text, bounded', () => {
    const hostile = telling({
      by: 'Eve\r\nBcc: x@y.example',
      detail: { text: `<script>${'x'.repeat(9_000)}` },
      issue: { shortId: 'SHOP-1', title: '<b>\nboom' },
    })
    const { subject, text, html } = tellingText(hostile, LINKS)
    assert.equal(subject, 'SHOP-1: Eve Bcc: x@y.example commented')
    assert.ok(!html.includes('<script>') && !html.includes('<b>'))
    assert.ok(text.length < 3_000)
  })
})
