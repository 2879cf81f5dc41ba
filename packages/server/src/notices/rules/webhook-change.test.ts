import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhookChange } from './webhook-change.ts'

const url = 'https://hooks.example/secret-path'

describe('setting a webhook', () => {
  it('needs a secret for the first address alone', () => {
    const first = webhookChange({ url, secret: 'a' }, null)
    assert.ok(first.ok)
    assert.deepEqual(first.value, {
      ...{ secret: 'a', action: 'webhook.created' },
      detail: { host: 'hooks.example', secretChanged: false },
    })
    const kept = webhookChange({ url }, { url, secret: 'a' })
    assert.ok(kept.ok)
    assert.deepEqual(
      [kept.value.secret, kept.value.action, kept.value.detail.secretChanged],
      [...['a', 'webhook.changed', false]],
    )
    const removed = webhookChange({ url }, null)
    assert.ok(!removed.ok && removed.code === 'conflict')
  })

  it('is refused to whoever has not seen the address that is there', () => {
    const other = 'https://other.example/'
    const stale = webhookChange({ url: other, seen: { url: null } }, { url, secret: 'a' })
    assert.ok(!stale.ok && stale.code === 'conflict')
    assert.ok(webhookChange({ url: other, seen: { url } }, { url, secret: 'a' }).ok)
    assert.ok(webhookChange({ url, secret: 'a', seen: { url: null } }, null).ok)
  })

  it('tells the audit when the secret is another', () => {
    const change = webhookChange({ url, secret: 'b' }, { url, secret: 'a' })
    assert.ok(change.ok && change.value.detail.secretChanged)
  })
})
