/** The log: what went to whom, and what the receiver answered. */

import { alertBody, CHANNEL_FORMS } from '@errata/server/commands'
import { max } from '@errata/server/limits'
import type { DeliveryLogEntry, MessageLogEntry, Queries } from '@errata/server/queries'
import { object } from 'valibot'
import { readAddress } from '#parts/address.ts'
import { csvText } from '#parts/csv.ts'
import { idField } from '#parts/fields.server.ts'
import { defineAction } from '#wire/define-action.ts'
import { requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { frameOf } from './alerts.server.ts'
import { LOG, senderName } from './log-params.ts'
import { pictureText } from './picture.ts'
import { pictureOf } from './pictures.server.ts'

/** Rules listed; with more of them the text finds what they sent. */
const RULES_LISTED = 100

const LABELS = new Map<string, string>(CHANNEL_FORMS.map(({ kind, label }) => [kind, label]))

export async function loadLog(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, viewer, url } = org
  const address = readAddress(LOG, url.searchParams)
  const [{ views, counts }, log, chosen] = await Promise.all([
    frameOf(org),
    readable(org, 'messages', {
      read: () => engine.queries.deliveryLog(scope, address),
      otherwise: () => NO_MESSAGES,
    }),
    findChosenMessage(org, address.message),
  ])
  return {
    ...{ org: scope.orgSlug, counts, address, chosen, rowsMax: max('alertLogRows') },
    mayWrite: engine.access.can(viewer, scope, 'alert.write'),
    rules: [
      { value: 'projects', text: 'Alerts of projects' },
      { value: 'rules', text: 'Alerts of rules' },
      ...views
        .filter(({ rule: { id } }, index) => index < RULES_LISTED || String(id) === address.rule)
        .map(({ rule: { id, name } }) => ({ value: String(id), text: name })),
    ],
    kinds: CHANNEL_FORMS.map(({ kind, label }) => ({ value: kind, text: label })),
    rows: log.entries.map(logRow),
    sums: log.counts,
    medianMs: log.medianMs,
    keptDays: max('alertMessageDays'),
  }
}

const NO_MESSAGES: Awaited<ReturnType<Queries['deliveryLog']>> = {
  entries: [],
  counts: { waiting: 0, sending: 0, sent: 0, failed: 0, gathered: 0, cancelled: 0 },
  medianMs: null,
}

function logRow({ ref, cursor, ofProject, tryCount, ...entry }: DeliveryLogEntry) {
  return { ...shownOf(entry), ref, cursor, ofProject, tries: tryCount }
}

function shownOf(entry: MessageLogEntry) {
  const { tries, ...row } = entry
  const last = tries.at(-1)
  return {
    ...row,
    service: LABELS.get(entry.kind) ?? entry.kind,
    tries: tries.length,
    tookMs: last?.tookMs ?? null,
  }
}

async function findChosenMessage(org: OrgContext, message: string) {
  if (!/^[1-9]\d{0,14}$/.test(message)) return null
  const found = await org.engine.queries.messageSent(org.scope, Number(message))
  if (found === null) return null
  const { entry } = found
  return { ...shownOf(entry), tried: entry.tries, ...(await sentText(org, found)) }
}

/** Returns a message as the receiver reads it, and the body itself. */
async function sentText(
  { engine, scope }: OrgContext,
  { entry, message }: NonNullable<Awaited<ReturnType<OrgContext['engine']['queries']['messageSent']>>>,
) {
  const { kind, channelId } = entry
  const channel = channelId === null ? null : await engine.queries.channel(scope, channelId)
  const template = channel?.settings.template ?? ''
  const { url } = engine.publicAddress
  const isPerson = kind === 'email' && channelId === null
  const body = alertBody(message, { kind, template, url, isPerson })
  return { text: pictureText(pictureOf(kind, body)), isChannelThere: channel !== null }
}

/** Answers the filtered log, newest first, as many entries as a file holds. */
export async function answerLogCsv(ctx: LoaderContext): Promise<Response> {
  const { engine, scope, url } = requireScope(ctx)
  const address = readAddress(LOG, url.searchParams)
  const { entries } = await engine.queries.deliveryLog(scope, { ...address, before: null, rows: 'file' })
  const head = ['time', 'rule', 'level', 'what', 'kind', 'to', 'state', 'answer', 'tries', 'took ms', 'issue']
  const rows = entries.map((entry) => {
    const { atMs, level, headline, kind, to, state, says, tries, tryCount, issue } = entry
    const tookMs = tries.at(-1)?.tookMs ?? ''
    return [
      ...[
        new Date(atMs).toISOString(),
        senderName(entry) ?? '',
        level,
        headline,
        kind,
        to,
        state,
        says ?? '',
      ],
      ...[tryCount, tookMs, issue ?? ''],
    ]
  })
  const name = `alert-log-${scope.orgSlug}.csv`
  return new Response(csvText([head, ...rows]), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`,
    },
  })
}

export const sendAgain = defineAction(
  'alert-log.send',
  'alert.write',
  object({ message: idField }),
  async (ctx, { message }) => ctx.engine.commands.run('sendMessageAgain', ctx, message),
)
