import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { renderTemplate } from './template.ts'

const VALUES = { title: 'a "quoted"\ntitle', issue: { events: 12, route: null }, list: ['one'] }
const body = (template: string) => {
  const rendered = renderTemplate(template, VALUES)
  assert.ok(rendered.ok, rendered.ok ? '' : rendered.rule)
  return rendered.body
}
const rule = (template: string) => {
  const rendered = renderTemplate(template, VALUES)
  return rendered.ok ? assert.fail('was rendered') : rendered.rule
}

describe('templates of webhooks', () => {
  it('put values into texts, and whole values in place of a path alone', () => {
    const template = '{"text":"{{title}}: {{ issue.events }} events","n":"{{issue.events}}","l":"{{list}}"}'
    assert.deepEqual(body(template), { text: 'a "quoted"\ntitle: 12 events', n: 12, l: ['one'] })
  })

  it('leave out what is not known, and say which field there is none of', () => {
    assert.deepEqual(body('{"a":"{{issue.route}}","b":"on {{issue.route}}"}'), { a: null, b: 'on ' })
    assert.match(rule('{"a":"{{issue.nothing}}"}'), /issue\.nothing/)
    assert.match(rule('{"a":"{{title.constructor}}"}'), /title\.constructor/)
    assert.match(rule('{"a":"{{__proto__.x}}"}'), /__proto__/)
  })

  it('are JSON objects of bounded length', () => {
    assert.match(rule('{"a":'), /JSON/)
    assert.match(rule('["{{title}}"]'), /object/)
    assert.match(rule(`{"a":"${'x'.repeat(max('channelTemplateCharsMax'))}"}`), /At most/)
  })

  it('are never changed in shape by a value', () => {
    const rendered = renderTemplate('{"a":"{{title}}"}', { title: '","b":"injected' })
    assert.deepEqual(rendered, { ok: true, body: { a: '","b":"injected' } })
  })
})
