import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertBody } from '@errata/server/commands'
import { type AlertMessage, CHANNEL_KINDS, type ChannelKind } from '@errata/server/queries'
import { htmlRuns, markdownRuns, slackRuns } from './markup.server.ts'
import { type Picture, pictureText } from './picture.ts'
import { pictureOf } from './pictures.server.ts'

const HOSTILE = 'TypeError: <b>a*b_c</b> & @everyone [x](http://x.example) `y`'
const MESSAGE: AlertMessage = {
  ...{ atMs: 0, moment: 'fired', level: 'critical', headline: 'Checkout action fails: 15.0 %, critical' },
  organisation: { slug: 'acme', name: 'Acme' },
  project: { slug: 'shop', name: 'Shop' },
  rule: { id: 7, name: 'Checkout fails' },
  because: 'the failure rate is over 10 %',
  issue: null,
  metric: {
    ...{ name: 'Failure rate', value: '15.0 %', condition: 'over 10 % for 5 min' },
    ...{ detail: '842 of 5,611 requests failed', mostly: { shortId: 'SHOP-1', title: HOSTILE } },
  },
  gathered: null,
  story: 'rule-7',
}

const pictured = (kind: ChannelKind, message = MESSAGE): Picture =>
  pictureOf(kind, alertBody(message, { kind, template: '', url: 'https://errata.example' }))

describe('pictures of messages', () => {
  it('are read from the body of every kind, which says what happened', () => {
    for (const kind of CHANNEL_KINDS) {
      const picture = pictured(kind)
      assert.equal(picture.look === 'json', kind === 'webhook', kind)
      assert.match(pictureText(picture), /Checkout action fails: 15\.0 %, critical/, kind)
    }
  })

  it('show hostile text as text, as the service does', () => {
    for (const kind of ['discord', 'teams', 'mattermost', 'google-chat', 'telegram'] as const) {
      const text = pictureText(pictured(kind)).replaceAll('\u200b', '')
      assert.ok(text.includes(`SHOP-1 ${HOSTILE}`), `${kind}: ${text}`)
    }
  })

  it('have the bar that the body says, the facts and the links', () => {
    const { bar, parts } = pictured('slack')
    assert.equal(bar, '#d3382f')
    const facts = parts.find((part) => part.is === 'facts')
    assert.ok(facts?.is === 'facts')
    assert.deepEqual(
      facts.facts.map(({ label }) => label),
      ['Failure rate', 'Condition', 'Measured', 'Mostly'],
    )
    const buttons = parts.find((part) => part.is === 'buttons')
    assert.ok(buttons?.is === 'buttons')
    assert.deepEqual(buttons.buttons, [
      { label: 'Open issue', isMain: false },
      { label: 'Open rule', isMain: false },
    ])
  })

  it('show a body of another shape as it is', () => {
    const picture = pictureOf('slack', { text: 'hello' })
    assert.equal(picture.look, 'json')
    assert.deepEqual(JSON.parse(pictureText(picture)), { text: 'hello' })
  })
})

describe('markup', () => {
  it('of Slack has links, bold and code', () => {
    assert.deepEqual(slackRuns('*<https://x.example|a &lt;b&gt;>* and `c` *d* &amp;'), [
      { text: 'a <b>', as: 'link' },
      { text: ' and ', as: 'text' },
      { text: 'c', as: 'code' },
      { text: ' ', as: 'text' },
      { text: 'd', as: 'bold' },
      { text: ' &', as: 'text' },
    ])
  })

  it('of Markdown takes escaped marks as text', () => {
    assert.deepEqual(markdownRuns('\\*a\\* `b` [c](https://x.example)'), [
      { text: '*a* ', as: 'text' },
      { text: 'b', as: 'code' },
      { text: ' ', as: 'text' },
      { text: 'c', as: 'link' },
    ])
  })

  it('of HTML has the tags of Telegram', () => {
    assert.deepEqual(htmlRuns('<b>a</b> <a href="https://x.example">b</a> <code>c&amp;</code>&lt;'), [
      { text: 'a', as: 'bold' },
      { text: ' ', as: 'text' },
      { text: 'b', as: 'link' },
      { text: ' ', as: 'text' },
      { text: 'c&', as: 'code' },
      { text: '<', as: 'text' },
    ])
  })
})
