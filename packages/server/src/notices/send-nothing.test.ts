import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { PublicAddress } from '#base/public-address.ts'
import { CHANNEL_KINDS } from '#ports/channels.ts'
import type { MessageReceiver } from '#ports/messages.ts'
import { anAlert } from '#testing/builders/alert-message.ts'
import { NOW } from '#testing/builders/times.ts'
import { ERRATA_URL, KEY } from '#testing/notices/receivers.ts'
import { createSendWays } from './deliver.ts'
import { createSendMessage } from './send-message.ts'

describe('a demo', () => {
  const parts = {
    ...{ smtp: null, privateTargets: true, version: '1', clock: manualClock(NOW), sendsNothing: true },
    publicAddress: new PublicAddress({ url: ERRATA_URL, port: 0 }),
    resolve: () => assert.fail('a name was looked up'),
  }
  const sendMessage = createSendMessage({ ...parts, ...createSendWays(parts) })
  const sendTo = async (to: MessageReceiver) => {
    const { signal } = new AbortController()
    return (await sendMessage({ to, key: KEY, tries: 1, message: anAlert(), signal })).attempt
  }
  const toChannel = (kind: (typeof CHANNEL_KINDS)[number], url: string) => {
    const channel = { id: 1, kind, name: 'x', values: { url, server: url, address: 'a@b.example' } }
    return sendTo({ to: 'channel', channel, thread: null })
  }
  const nothing = { outcome: 'sent', says: 'The demo sends nothing.' }

  it('sends nothing to any kind of channel, nor to a person, and says so', async () => {
    for (const kind of CHANNEL_KINDS)
      assert.deepEqual(await toChannel(kind, 'https://receiver.example'), nothing, kind)
    assert.deepEqual(await sendTo({ to: 'person', email: 'a@b.example', name: 'A' }), nothing)
  })

  it('shows what a receiver that is gone looks like', async () => {
    const { outcome } = await toChannel('webhook', 'https://bot.gone.example/x')
    assert.equal(outcome, 'refused')
  })
})
