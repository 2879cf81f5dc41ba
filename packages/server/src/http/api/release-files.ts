/** Files of a release, one by one, by address: how clients upload that know no bundles. docs/wire.md, section "Uploads". */
import * as v from 'valibot'
import { max } from '#limits/limits.ts'
import type { ReleaseFile } from '#ports/artifacts.ts'
import { RELEASE_FILE } from './answers/release.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { badCursor, PAGE, readPage } from './pages.ts'
import { picks } from './pick.ts'
import { apiRefusal, existing, grantedOrThrow, notFound } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

/** Both addresses: of one project, and of the organisation, where a file is for all of its projects. */
export const RELEASE_FILE_ROUTES: readonly ApiRoute[] = [
  '/projects/{org}/{project}/releases/{version}/files/',
  '/organizations/{org}/releases/{version}/files/',
].flatMap((pattern): readonly ApiRoute[] => [
  {
    ...{
      method: 'GET',
      pattern,
      permission: 'release.read',
      what: 'files of a release',
      run: listReleaseFiles,
    },
    ...{ query: PAGE, answer: v.array(RELEASE_FILE) },
  },
  orgRoute({
    ...{ method: 'POST', pattern, permission: 'release.write', what: 'takes one file of a release' },
    upload: 'release file',
    answer: RELEASE_FILE,
    bodyBytesMax: max('releaseFileBytesMax') + max('chunkRequestRestBytesMax'),
    run: uploadReleaseFile,
  }),
  orgRoute({
    ...{ method: 'GET', pattern: `${pattern}{file}/`, permission: 'release.read' },
    what: 'one file of a release',
    answer: RELEASE_FILE,
    run: async (call: OrgCall) => answerOk(releaseFileShape(await requireReleaseFile(call))),
  }),
  {
    ...{ method: 'DELETE', pattern: `${pattern}{file}/`, permission: 'release.write' },
    what: 'deletes a file of a release',
    run: removeReleaseFile,
  },
])

/** `0:120:0`: from behind the file with this id. */
const CURSOR = /^0:(\d{1,15}):0$/

async function listReleaseFiles(call: OrgCall) {
  const { limit, cursor } = readPage(call.url)
  const afterId = cursor === null ? 0 : Number(CURSOR.exec(cursor)?.[1] ?? Number.NaN)
  if (Number.isNaN(afterId)) throw badCursor()
  const found = await readReleaseFiles(call, { afterId, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return answerOk(rows.map(releaseFileShape), {
    previous: null,
    next: found.length > limit && last !== undefined ? `0:${last.id}:0` : null,
    hits: null,
  })
}

async function uploadReleaseFile(call: OrgCall) {
  const project = await findProject(call)
  const request = await call.bytes()
  if (request.body.length > max('releaseFileBytesMax') + max('chunkRequestRestBytesMax'))
    throw apiRefusal('body_too_large', `A file may have ${max('releaseFileBytesMax')} bytes.`)
  const projects = project === null ? 'all' : [String(project)]
  const release = call.params.version ?? ''
  return answerCreated(
    releaseFileShape(
      grantedOrThrow(await call.commands.uploadReleaseFile(call, { projects, release, request })),
    ),
  )
}

async function removeReleaseFile(call: OrgCall) {
  const { bundle, filesBeside } = await requireReleaseFile(call)
  if (filesBeside > 1)
    throw apiRefusal('conflict', 'This file came in a bundle with others: delete the bundle, or the release.')
  grantedOrThrow(await call.commands.deleteArtifacts(call, [bundle]))
  return gone
}

async function requireReleaseFile(call: OrgCall): Promise<ReleaseFile> {
  const id = Number(call.params.file)
  if (!Number.isSafeInteger(id)) throw notFound()
  const [file] = await readReleaseFiles(call, { id, afterId: 0, limit: 1 })
  return existing(file)
}

async function readReleaseFiles(
  call: OrgCall,
  page: { readonly id?: number; readonly afterId: number; readonly limit: number },
): Promise<readonly ReleaseFile[]> {
  const project = await findProject(call)
  return call.queries.releaseFiles(call.scope, { ...page, release: call.params.version ?? '', project })
}

/** `null` at the address of the organisation. */
async function findProject({ params, queries, scope }: OrgCall) {
  return params.project === undefined ? null : existing(await queries.project(scope, params.project)).id
}

const releaseFileShape = picks(RELEASE_FILE).from<ReleaseFile>({
  id: ({ id }) => String(id),
  size: ({ bytes }) => bytes,
  dateCreated: ({ uploadedMs }) => isoTimeText(uploadedMs),
  headers: ({ mapReference }) => (mapReference === null ? {} : { Sourcemap: mapReference }),
})
