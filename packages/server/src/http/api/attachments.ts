/** Attachments of events: listed, downloaded, deleted. Sentry’s shapes, with the hash of what we keep. */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import type { AttachmentPlace } from '#ports/attachments.ts'
import type { AttachmentFile, AttachmentView } from '#queries/attachments.ts'
import { readByteRange } from '../file-headers.ts'
import { ATTACHMENT_SCHEMA } from './answers/attachment.ts'
import { type ApiRoute, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { PAGE, readPage } from './pages.ts'
import { picks } from './pick.ts'
import { yes } from './query.ts'
import { apiRefusal, existing, grantedOrThrow } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

const DOWNLOAD = yes('download', 'The file itself instead of what is known of it; a Range is answered')
const OF_EVENT = '/projects/{org}/{project}/events/{event}/attachments/'

export const ATTACHMENT_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: OF_EVENT,
    permission: 'issue.read',
    what: 'files that were sent with an event, by name',
    answer: v.array(ATTACHMENT_SCHEMA),
    async run({ queries, scope, params }) {
      const { project = '', event = '' } = params
      return answerOk(existing(await queries.attachments(scope, project, event)).map(attachmentShape))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: `${OF_EVENT}{attachment}/`,
    permission: 'issue.read',
    what: 'one of them, or with `download` its content',
    query: [DOWNLOAD],
    answer: ATTACHMENT_SCHEMA,
    async run(call) {
      const file = await requireAttachment(call)
      // Sentry's own pages ask for `?download` without a value.
      return call.url.searchParams.has('download')
        ? download(call, file)
        : answerOk(attachmentShape(file.view))
    },
  }),
  {
    method: 'DELETE',
    pattern: `${OF_EVENT}{attachment}/`,
    permission: 'issue.delete',
    what: 'deletes one of them; its event stays',
    async run(call) {
      const { projectId: project, id } = (await requireAttachment(call)).view
      grantedOrThrow(await call.commands.run('deleteAttachment', call, { project, id }))
      return gone
    },
  },
  orgRoute({
    method: 'GET',
    pattern: '/organizations/{org}/issues/{issue}/attachments/',
    permission: 'issue.read',
    what: 'files that were sent with an issue’s events, the newest first',
    query: [...PAGE],
    answer: v.array(ATTACHMENT_SCHEMA),
    run: listIssueAttachments,
  }),
]

async function requireAttachment({ queries, scope, params }: OrgCall): Promise<AttachmentFile> {
  const { project = '', event: eventId = '', attachment: id = '' } = params
  return existing(await queries.attachment(scope, project, { eventId, id }))
}

async function download(call: OrgCall, { view, open }: AttachmentFile) {
  const { name, servedAs: type, bytes } = view
  const range = readByteRange(call.header('range'), bytes)
  if (range === 'unsatisfiable') {
    throw apiRefusal('range_unsatisfiable', `the file has ${bytes} bytes`)
  }
  const stream = existing(await open(range ?? undefined))
  const file = { name, type, stream, bytes, ...(range !== null && { range }) }
  return { status: range === null ? 200 : 206, file }
}

async function listIssueAttachments({ queries, scope, params, url }: OrgCall) {
  const { limit, cursor } = readPage(url)
  const most = Math.min(limit, max('issueAttachmentsMax'))
  const page = { limit: most, before: readAttachmentCursor(cursor) }
  const found = existing(await queries.issueAttachments(scope, params.issue ?? '', page))
  const last = found.length < most ? undefined : found.at(-1)
  const next = last === undefined ? null : `${Math.floor(last.receivedMs)}:${last.id}`
  return answerOk(found.map(attachmentShape), { previous: null, next, hits: null })
}

/** `null` for the first page, and for what is no cursor of this list. */
function readAttachmentCursor(cursor: string | null): AttachmentPlace | null {
  const [, ms = '', id = ''] = /^(\d{1,15}):([0-9a-f]{32})$/.exec(cursor ?? '') ?? []
  return id === '' ? null : { receivedMs: Number(ms), id }
}

const attachmentShape = picks(ATTACHMENT_SCHEMA).from<AttachmentView>({
  event_id: ({ eventId }) => eventId,
  mimetype: ({ servedAs }) => servedAs,
  dateCreated: ({ receivedMs }) => isoTimeText(receivedMs),
  size: ({ bytes }) => bytes,
  headers: ({ contentType, servedAs }) => ({ 'Content-Type': contentType ?? servedAs }),
  sha1: () => null,
})
