/** Channels of alerts as people set them up. */
import * as v from 'valibot'
import { withoutChannel } from '#alerts/rules/rule-changes.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { refuseUnseen } from '#model/project-rules.ts'
import { ALERT_MESSAGES, ALERT_RULES } from '#model/tables/alerts.ts'
import { CHANNELS } from '#model/tables/channels.ts'
import { META } from '#model/tables/installation.ts'
import type { TableRow } from '#model/tables/table.ts'
import type { ChannelField } from '#notices/channels/channel-type.ts'
import { CHANNEL_TYPES } from '#notices/channels/kinds/kinds.ts'
import { renderTemplate } from '#notices/channels/kinds/template.ts'
import { templateValues } from '#notices/channels/kinds/webhook.ts'
import { CHANNEL_REFUSALS, refuseChannels } from '#notices/rules/channels.ts'
import { CHANNEL_DELETED } from '#notices/rules/messages.ts'
import { sampleAlert } from '#notices/sample-alert.ts'
import { channelInput } from '#notices/send-message.ts'
import {
  CHANNEL_KINDS,
  type ChannelChange,
  type ChannelKind,
  type ChannelValues,
  type NewChannel,
} from '#ports/channels.ts'
import type { Tx } from '#ports/control.ts'
import type { SeenSettings } from '#ports/projects.ts'
import { writeAudit } from './audit-entry.ts'
import { changeFound } from './change-found.ts'
import { type By, preparedCommand } from './command.ts'
import { fieldRule, splitValues } from './field-values.ts'
import type { AlertParts, CommandParts } from './parts.ts'
import { line } from './schema-parts.ts'
import { readInput } from './schemas.ts'

export interface GivenChannel {
  readonly kind: string
  readonly name: string
  /** Settings and secrets by the names of the kind's fields; a secret left out, or empty, stays as it is. */
  readonly values: Readonly<Record<string, unknown>>
}

type Parts = Pick<CommandParts, 'alerts'>
type OfChannel = { readonly id: number }

const KIND = v.picklist(CHANNEL_KINDS, `A kind is one of ${CHANNEL_KINDS.join(', ')}.`)
const NAME = line('A name', max('channelNameCharsMax'))
export const GIVEN_CHANNEL = v.strictObject({
  kind: KIND,
  name: NAME,
  values: v.record(v.string(), v.unknown()),
})

const KEY_BYTES = 16

export const createChannel = preparedCommand({
  permission: 'alert.write',
  input: (given: GivenChannel) => ok(given),
  prepare: async ({ alerts }: Parts, _asking, given): Promise<Result<NewChannel>> => {
    if (alerts === undefined) return refuseWithoutAlerts()
    const checked = readInput(GIVEN_CHANNEL, given)
    if (!checked.ok) return checked
    const { kind, name, values } = checked.value
    const split = readChannelValues(alerts, { kind, values, kept: [], before: {} })
    return split.ok ? ok({ kind, name, ...split.value }) : split
  },
  change: async (tx, channel, { scope: { orgId }, actor }) => {
    const rows = tx.rows(CHANNELS)
    const refused = refuseChannels(await rows.count({ orgId }))
    if (refused !== null) return refused
    const { kind, name } = channel
    if (await isTaken(tx, { orgId, kind, name, id: 0 })) return CHANNEL_REFUSALS.nameTaken()
    const made = { createdBy: actor.label, createdMs: actor.atMs, changedMs: actor.atMs }
    const [id = 0] = await rows.insert([{ orgId, ...channel, ...made }])
    await writeAudit(tx, orgId, actor, { action: 'channel.created', target: name, detail: { kind } })
    return ok({ id })
  },
})

export const changeChannel = preparedCommand({
  permission: 'alert.write',
  input: (given: Omit<GivenChannel, 'kind'> & OfChannel & { readonly seen?: SeenSettings | undefined }) =>
    ok(given),
  prepare: async (
    { alerts }: Parts,
    { scope },
    { id, name, values, seen },
  ): Promise<Result<OfChannel & { readonly change: ChannelChange }>> => {
    if (alerts === undefined) return refuseWithoutAlerts()
    const known = await alerts.channels.channel(scope, id)
    if (known === null) return noChannel()
    const checked = readInput(GIVEN_CHANNEL, { kind: known.kind, name, values })
    if (!checked.ok) return checked
    const split = readChannelValues(alerts, {
      ...checked.value,
      kept: known.secretsSet,
      before: known.settings,
    })
    return split.ok ? ok({ id, change: { name: checked.value.name, ...split.value, seen } }) : split
  },
  change: (tx, { id, change: { seen, ...change } }, by) => {
    const { orgId } = by.scope
    const rows = tx.rows(CHANNELS)
    return changeFound(tx, by, {
      find: rows.one({ id, orgId }),
      missing: CHANNEL_REFUSALS.noChannel,
      change: async (before) => {
        const { kind, changedMs } = before
        const unseen = refuseUnseen({ name: before.name, settings: before.settings, changedMs }, seen)
        if (unseen !== null) return unseen
        const { name = before.name, settings = before.settings } = change
        if (await isTaken(tx, { orgId, kind, name, id })) return CHANNEL_REFUSALS.nameTaken()
        const secrets = { ...before.secrets, ...change.secrets }
        await rows.update([{ id, name, settings, secrets, changedMs: by.actor.atMs }])
        const detail = { kind, changed: Object.keys(change).join(', ') }
        return { action: 'channel.changed', target: name, detail }
      },
    })
  },
})

/** Its waiting messages are cancelled; rules lose it. */
export const deleteChannel = preparedCommand({
  permission: 'alert.write',
  input: (id: number) => ok({ id }),
  prepare: async ({ alerts }: Parts, _asking, given) =>
    alerts === undefined ? refuseWithoutAlerts() : ok(given),
  change: (tx, { id }: OfChannel, by) =>
    changeFound(tx, by, {
      find: tx.rows(CHANNELS).one({ id, orgId: by.scope.orgId }),
      missing: CHANNEL_REFUSALS.noChannel,
      change: async ({ name: target, kind }) => {
        const cancelled = { says: CHANNEL_DELETED, dueMs: null, lease: null, settledMs: by.actor.atMs }
        await tx
          .rows(ALERT_MESSAGES)
          .change({ channelId: id, state: ['waiting', 'sending'] }, { state: 'cancelled', ...cancelled })
        await tx.rows(CHANNELS).remove({ id })
        await removeReceiver(tx, by, id)
        return { action: 'channel.deleted', target, detail: { kind } }
      },
    }),
})

export function noChannel() {
  return refuse('not_found', 'There is no such channel.')
}

function refuseWithoutAlerts() {
  return refuse('conflict', 'This process sends no alerts.')
}

async function isTaken(
  tx: Tx,
  { id, ...named }: Pick<TableRow<typeof CHANNELS>, 'orgId' | 'kind' | 'name' | 'id'>,
): Promise<boolean> {
  const known = await tx.rows(CHANNELS).one(named)
  return known !== null && known.id !== id
}

/** A channel that is gone is no receiver. */
async function removeReceiver(tx: Tx, { scope: { orgId } }: By, channel: number): Promise<void> {
  const rules = tx.rows(ALERT_RULES)
  const changed = (await rules.find({ orgId }, max('alertRulesPerOrgMax'))).flatMap(({ id, draft }) => {
    const left = withoutChannel(draft, channel)
    return left === null ? [] : [{ id, draft: left }]
  })
  await rules.update(changed)
  // What is counted for rules is looked at anew.
  const version = await tx.rows(META).one({ name: 'alerts_version' })
  await tx.rows(META).update([{ name: 'alerts_version', value: (version?.value ?? 0) + 1 }])
}

interface GivenValues {
  readonly kind: ChannelKind
  readonly values: Readonly<Record<string, unknown>>
  /** Names of the secrets that there are already. */
  readonly kept: readonly string[]
  readonly before: ChannelValues
}

function readChannelValues(
  { tests }: Pick<AlertParts, 'tests'>,
  { kind, ...stored }: GivenValues,
): Result<Pick<NewChannel, 'settings' | 'secrets'>> {
  const { fields } = CHANNEL_TYPES[kind]
  const given = { fields, ...stored, unknown: 'This kind of channel has no such field.' }
  return splitValues(given, (field, text) => ruleBroken(tests, field, text))
}

/** A sentence; `null` when nothing is broken. */
function ruleBroken(tests: AlertParts['tests'], field: ChannelField, text: string): string | null {
  const { webhookUrl } = tests
  const most = max(field.check === 'template' ? 'channelTemplateCharsMax' : 'channelValueCharsMax')
  const rule = fieldRule(field, text, { most, webhookUrl })
  if (rule !== null || field.check !== 'template' || text === '') return rule
  const rendered = renderTemplate(text, templateValues(sampleSending({}, SAMPLE_NAMES)))
  return rendered.ok ? null : rendered.rule
}

const SAMPLE_NAMES = {
  url: 'https://errata.example.com',
  organisation: { slug: 'acme', name: 'Acme' },
  nowMs: 0,
}

export function sampleSending(
  values: ChannelValues,
  named: {
    readonly url: string
    readonly organisation: AlertMessage['organisation']
    readonly nowMs: number
  },
) {
  const message = sampleAlert(named.organisation, { atMs: named.nowMs, isTest: false })
  const channel = { id: 0, values }
  return channelInput(message, { ...named, channel, key: '0'.repeat(2 * KEY_BYTES), thread: null })
}
