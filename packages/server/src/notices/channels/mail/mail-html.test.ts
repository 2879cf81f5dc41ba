import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IssueTelling } from '#ports/letters.ts'
import { anAlert, anAlertIssue } from '#testing/builders/alert-message.ts'
import { aNotice, anIssue } from '#testing/builders/notice.ts'
import { alertMail } from './alert-text.ts'
import { heldText } from './held-text.ts'
import { letterText } from './letter-text.ts'
import { mailText } from './mail-text.ts'
import { tellingText } from './telling-text.ts'

const URL_OWN = 'https://errata.test'
const TELLING: IssueTelling = {
  ...{ organisation: 'acme', issue: { shortId: 'SHOP-1', title: 'TypeError: boom' }, kind: 'commented' },
  ...{ detail: { text: 'look' }, by: 'Ada', isMention: true, isToReceiver: false },
}
const HELD = { organisation: 'acme', issue: null, telling: null, headline: 'p95 is 4 s', ruleId: 7 }
const LETTER = {
  to: { email: 'ada@acme.test', name: 'Ada' },
  expiresMs: 600_000,
  invitation: null,
  signIn: null,
}

/** Every email that leads somewhere, with its button's text. */
const MAILS: readonly (readonly [name: string, html: string, press: string])[] = [
  ['of a project', mailText(aNotice({ issue: anIssue() }), URL_OWN).html, 'Open SHOP-'],
  [
    'of an alert rule',
    alertMail(anAlert({ issue: anAlertIssue() }), { url: URL_OWN, isPerson: true }).html,
    'Open issue',
  ],
  ['to a follower', tellingText(TELLING, { open: URL_OWN, stop: URL_OWN }).html, 'Open the issue'],
  [
    'after quiet hours',
    heldText({ lines: [HELD], total: 1 }, (path) => URL_OWN + path).html,
    'Open your inbox',
  ],
  ['with a link', letterText(LETTER, { url: URL_OWN, nowMs: 0 }).html, 'Choose a new password'],
]

describe('an email in HTML', () => {
  for (const [name, html, press] of MAILS) {
    it(`${name} has a button of a thumb's height`, () => {
      const [, style = '', text = ''] =
        /<a [^>]*style="(display:inline-block[^"]*)">([^<]*)</.exec(html) ?? []
      assert.ok(text.startsWith(press), text)
      // 22 px of padding, and a line of 21.
      assert.match(style, /padding:11px 16px/)
    })

    it(`${name} is as wide as a phone, and has no colour that one of its themes hides`, () => {
      assert.ok(html.includes('name="viewport" content="width=device-width"'))
      const colours = [...html.matchAll(/[;"]color:([^;"]+)/g)].map(([, colour]) => colour)
      assert.deepEqual(
        colours.filter((colour) => colour !== 'inherit'),
        ['#fff'],
      )
    })
  }
})
