/** Channels of alerts, and the log of what went there. Secrets go in and never come out. */
import * as v from 'valibot'
import type { Channel, LastAnswer } from '#ports/channels.ts'
import type { DeliveryLogEntry, MessageLogEntry } from '#ports/messages.ts'
import {
  CHANNEL as CHANNEL_ANSWER,
  CHANNEL_LAST,
  CHANNELS_SCHEMA as CHANNEL_LIST,
  CHANNEL_PREVIEW,
  CHANNEL_TESTED,
  LOGGED_ALERT,
  MESSAGE,
  MESSAGE_LOG,
  MESSAGE_SENT,
} from './answers/alert.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { readId } from './params.ts'
import { picks } from './pick.ts'
import { words } from './query.ts'
import { existing, grantedOrThrow } from './refusals.ts'
import { messageTryShape } from './shape/message-try.ts'
import { isoTimeText, isoTimeTextOrNull } from './shape/times.ts'
import { answerVersioned, grantedAsSeen, seenBy } from './versions.ts'

const VALUES = v.optional(v.record(v.string(), v.unknown()), {})
const GIVEN = v.strictObject({ kind: v.string('kind: text.'), name: v.string('name: text.'), values: VALUES })
const CHANGE = v.strictObject({ name: v.string('name: text.'), values: VALUES })
const PREVIEW = v.strictObject({ kind: v.string('kind: text.'), values: VALUES })

const CHANNELS = '/organizations/{org}/alert-channels/'
const CHANNEL = `${CHANNELS}{channel}/`
const LOG = '/organizations/{org}/alert-log/'
const ASKED = {
  rule: words('rule', 'Id of a rule; `rules` or `projects`: one sort alone'),
  kind: words('kind', 'Kind of channel'),
  channel: words('channel', 'Id of a channel'),
  state: words('state', 'What became of it'),
  days: words('days', 'How many days back'),
  text: words('text', 'In headline, receiver or answer'),
  before: words('before', '`cursor` or id of a message: those before it'),
}

export const CHANNEL_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: CHANNELS,
    permission: 'channel.read',
    what: 'channels that alerts go to, without their secrets',
    answer: CHANNEL_LIST,
    run: async (call) => answerOk((await call.queries.channels(call.scope)).map(channelShape)),
  }),
  orgRoute({
    method: 'POST',
    pattern: CHANNELS,
    permission: 'alert.write',
    what: 'adds a channel: `kind`, `name` and the `values` of the kind’s fields',
    body: GIVEN,
    answer: CHANNEL_ANSWER,
    async run(call) {
      const given = readBody(GIVEN, await call.json())
      const { id } = grantedOrThrow(await call.commands.run('createChannel', call, given))
      return answerCreated(channelShape(existing(await call.queries.channel(call.scope, id))))
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/organizations/{org}/alert-channels/preview/',
    permission: 'alert.write',
    what: 'what a sample alert looks like to a service, by the renderer that delivers',
    body: PREVIEW,
    answer: CHANNEL_PREVIEW,
    run: async (call) =>
      answerOk(
        grantedOrThrow(await call.commands.previewChannel(call, readBody(PREVIEW, await call.json()))),
      ),
  }),
  orgRoute({
    method: 'GET',
    pattern: CHANNEL,
    permission: 'channel.read',
    what: 'one channel',
    answer: CHANNEL_ANSWER,
    versioned: true,
    run: async (call) => channelAnswer(await requireChannel(call)),
  }),
  orgRoute({
    method: 'PUT',
    pattern: CHANNEL,
    permission: 'alert.write',
    what: 'changes it; secrets left out stay as they are',
    body: CHANGE,
    answer: CHANNEL_ANSWER,
    versioned: true,
    async run(call) {
      const before = await requireChannel(call)
      const seen = seenBy(call, channelSeen(before))
      const asked = { id: before.id, ...readBody(CHANGE, await call.json()), seen }
      grantedAsSeen(await call.commands.run('changeChannel', call, asked), seen)
      return channelAnswer(await requireChannel(call))
    },
  }),
  {
    method: 'DELETE',
    pattern: CHANNEL,
    permission: 'alert.write',
    what: 'deletes it; messages that wait are cancelled',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteChannel', call, (await requireChannel(call)).id))
      return gone
    },
  },
  orgRoute({
    method: 'POST',
    pattern: `${CHANNEL}test/`,
    permission: 'alert.write',
    what: 'sends a test now and answers what the receiver said',
    answer: CHANNEL_TESTED,
    run: async (call) =>
      answerOk(grantedOrThrow(await call.commands.testChannel(call, (await requireChannel(call)).id))),
  }),
  orgRoute({
    method: 'GET',
    pattern: LOG,
    permission: 'alert.read',
    what: 'alerts that rules and projects sent, newest first: `rule`, `kind`, `channel`, `state`, `days`, `text`, `before`',
    query: Object.values(ASKED),
    answer: MESSAGE_LOG,
    async run(call) {
      const { url } = call
      const { entries, counts, medianMs } = await call.queries.deliveryLog(call.scope, {
        ...{ rule: ASKED.rule.read(url), kind: ASKED.kind.read(url), channel: ASKED.channel.read(url) },
        ...{ state: ASKED.state.read(url), days: ASKED.days.read(url), text: ASKED.text.read(url) },
        before: ASKED.before.read(url),
      })
      return answerOk({ messages: entries.map(logShape), counts, medianMs })
    },
  }),
  {
    method: 'GET',
    pattern: `${LOG}{message}/`,
    permission: 'alert.read',
    what: 'one that a rule sent, with what was sent',
    answer: MESSAGE_SENT,
    async run(call) {
      const { entry, message } = existing(await requireMessage(call))
      return answerOk({ ...messageShape(entry), message })
    },
  },
  orgRoute({
    method: 'POST',
    pattern: `${LOG}{message}/send/`,
    permission: 'alert.write',
    what: 'sends one that a rule sent once more',
    answer: MESSAGE,
    async run(call) {
      const { entry } = existing(await requireMessage(call))
      grantedOrThrow(await call.commands.run('sendMessageAgain', call, entry.id))
      return answerOk(messageShape(existing(await requireMessage(call)).entry))
    },
  }),
]

async function requireChannel({ queries, scope, params }: OrgCall): Promise<Channel> {
  const id = readId(params.channel)
  return existing(id === null ? null : await queries.channel(scope, id))
}

async function requireMessage({ queries, scope, params }: OrgCall) {
  const id = readId(params.message)
  return id === null ? null : queries.messageSent(scope, id)
}

function channelSeen({ name, settings, changedMs }: Channel) {
  return { name, settings, changedMs }
}

function channelAnswer(channel: Channel) {
  return answerVersioned(channelShape(channel), channelSeen(channel))
}

const channelShape = picks(CHANNEL_ANSWER).from<Channel>({
  id: ({ id }) => String(id),
  dateCreated: ({ createdMs }) => isoTimeText(createdMs),
  dateChanged: ({ changedMs }) => isoTimeText(changedMs),
  last: ({ last }) => (last === null ? null : lastShape(last)),
})

const lastShape = picks(CHANNEL_LAST).from<LastAnswer>({ date: ({ atMs }) => isoTimeText(atMs) })

const MESSAGE_READS = {
  id: ({ id }: MessageLogEntry) => String(id),
  date: ({ atMs }: MessageLogEntry) => isoTimeText(atMs),
  heldUntil: ({ heldUntilMs }: MessageLogEntry) => isoTimeTextOrNull(heldUntilMs),
  next: ({ nextMs }: MessageLogEntry) => isoTimeTextOrNull(nextMs),
  settled: ({ settledMs }: MessageLogEntry) => isoTimeTextOrNull(settledMs),
  tries: ({ tries }: MessageLogEntry) => tries.map(messageTryShape),
  gatheredIn: ({ gatheredIn }: MessageLogEntry) => (gatheredIn === null ? null : String(gatheredIn)),
}

const messageShape = picks(MESSAGE).from<MessageLogEntry>(MESSAGE_READS)

const logShape = picks(LOGGED_ALERT).from<DeliveryLogEntry>({
  ...MESSAGE_READS,
  id: ({ ref }) => ref,
  project: ({ ofProject }) => ofProject,
})
