/** The audit log: a page of it, and copies to take away. */

import { userId } from '@errata/server/ids'
import { max } from '@errata/server/limits'
import type { Queries } from '@errata/server/queries'
import { readAddress } from '#parts/address.ts'
import { choicesOf, chosenNames } from '#parts/choices.server.ts'
import { csvText } from '#parts/csv.ts'
import { byWord } from '#ui/by-word.ts'
import { notFound, refusePage, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext, OrgContext } from '#wire/types.ts'
import { AUDIT, AUDIT_SUBJECTS, type AuditAddress } from './audit-params.ts'
import { actionsSaying, actionText, detailText } from './audit-texts.ts'

const DAY_MS = 86_400_000

export async function loadAudit(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url } = org
  const address = readAddress(AUDIT, url.searchParams)
  const [entries, people, chosen] = await Promise.all([
    readable(ctx, 'audit', {
      read: () => engine.queries.audit(scope, auditPage(address)),
      otherwise: () => [],
    }),
    choicesOf(org, { of: 'people' }),
    address.who === null ? [] : chosenNames(org, 'people', [address.who]),
  ])
  return {
    org: scope.orgSlug,
    address,
    entries,
    people,
    who: chosen[0]?.name ?? null,
    // Fewer entries mean that there are no older ones.
    rowsMax: max('auditRows'),
    exportMax: max('auditExportRows'),
  }
}

function auditPage({ who, what, action, target, words, from, to, before }: AuditAddress) {
  return {
    before,
    userId: who === null ? null : userId(who),
    subjects: AUDIT_SUBJECTS.find(({ key }) => key === what)?.subjects ?? null,
    ...{ action, target },
    words: searchWords(words),
    fromMs: from === null ? null : Date.parse(from),
    // The last day itself belongs to what is asked for.
    untilMs: to === null ? null : Date.parse(to) + DAY_MS,
  }
}

/** Each must be found: in what is stored, or in the words that people read for an action. */
function searchWords(text: string | null) {
  if (text === null) return null
  const words = text.split(/\s+/).slice(0, max('auditWordsMax'))
  return words.map((word) => ({ text: word, actions: actionsSaying(word) }))
}

type Entry = Awaited<ReturnType<Queries['audit']>>[number]

interface Format {
  readonly name: string
  readonly type: string
  readonly head: string
  readonly lines: (entries: readonly Entry[]) => string
}

const CSV_HEAD = ['time', 'actor', 'action', 'says', 'target', 'ip', 'detail']

const FORMATS: Readonly<Record<string, Format>> = byWord({
  csv: {
    name: 'CSV',
    type: 'text/csv; charset=utf-8',
    head: csvText([CSV_HEAD]),
    lines: (entries) =>
      csvText(
        entries.map(({ atMs, actor, action, target, address, detail }) => [
          ...[new Date(atMs).toISOString(), actor, action, actionText(action), target],
          ...[address ?? '', detailText(detail)],
        ]),
      ),
  },
  jsonl: {
    name: 'JSON lines',
    type: 'application/x-ndjson',
    head: '',
    lines: (entries) =>
      entries
        .map(({ id, atMs, userId: user, actor, action, target, address, detail }) => {
          const who = { id: String(id), time: new Date(atMs).toISOString(), actor, userId: user }
          return `${JSON.stringify({ ...who, action, target, ip: address, detail })}\n`
        })
        .join(''),
  },
})

/**
 * Exports the filtered log, newest first, page by page: none of it is held in memory. The log says who
 * exported it.
 */
export async function exportAudit(ctx: LoaderContext): Promise<Response> {
  const org = requireScope(ctx)
  const { engine, scope, params, url } = org
  const format = Object.hasOwn(FORMATS, params.format ?? '') ? FORMATS[params.format ?? ''] : undefined
  if (format === undefined) return notFound()
  const asked = url.search.slice(1)
  const noted = await engine.commands.noteAuditExport(org, { format: format.name, asked })
  if (!noted.ok) return refusePage(noted.code, noted.message)
  const pages = auditPages(org, readAddress(AUDIT, url.searchParams))
  const name = `audit-log-${scope.orgSlug}.${params.format}`
  return new Response(streamOf(format, pages), {
    headers: {
      'Content-Type': format.type,
      'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`,
      'Cache-Control': 'no-store',
    },
  })
}

async function* auditPages(
  { engine, scope }: OrgContext,
  address: AuditAddress,
): AsyncGenerator<readonly Entry[]> {
  const filter = auditPage(address)
  let { before } = filter
  for (let left = max('auditExportRows'); left > 0; ) {
    const found = await engine.queries.audit(scope, { ...filter, before, rows: 'export' })
    yield found.slice(0, left)
    left -= found.length
    before = found.at(-1)?.id ?? null
    if (found.length < max('auditExportPageRows') || before === null) return
  }
}

/** A page is read when the one before has gone out. */
function streamOf(
  { head, lines }: Format,
  pages: AsyncGenerator<readonly Entry[]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(head)),
      async pull(controller) {
        const { value, done } = await pages.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(lines(value)))
      },
      cancel: async () => void (await pages.return(undefined)),
    },
    { highWaterMark: 1 },
  )
}
