/** Uploads of source maps and other artifacts. docs/wire.md, section "Uploads". */
import * as v from 'valibot'
import type { AssembleAnswer } from '#artifacts/artifact-work.ts'
import { max } from '#limits/limits.ts'
import {
  ASSEMBLED,
  CHUNK_SERVER,
  DEBUG_FILES_ASSEMBLED,
  DEBUG_FILES as DEBUG_FILES_KEPT,
  DEBUG_FILES_MISSING,
  NOT_ASSEMBLED,
} from './answers/release.ts'
import { EMPTY_OBJECT } from './answers/words.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerOk, type OrgCall, orgRoute } from './call.ts'
import type { QueryParameter } from './query.ts'
import { existing, grantedOrThrow } from './refusals.ts'

/** Headers of the parts of a form beside what they hold, or a list of the pieces of up to a thousand files. */
const REST_BYTES = max('chunkRequestRestBytesMax')

const CHUNK_UPLOAD = '/organizations/{org}/chunk-upload/'
const KINDS = [
  ...['debug_files', 'release_files', 'pdbs', 'sources', 'bcsymbolmaps', 'il2cpp', 'portablepdbs'],
  ...['artifact_bundles', 'artifact_bundles_v2', 'proguard', 'dartsymbolmap'],
]

const CHECKSUMS: QueryParameter = {
  ...{ name: 'checksums', what: 'SHA-1 of a file; several', repeats: true, schema: { type: 'string' } },
}
const texts = v.array(v.string())
const ASSEMBLY = v.object({
  checksum: v.string('The checksum must be text.'),
  chunks: v.optional(texts, []),
  projects: v.optional(v.array(v.union([v.string(), v.number()])), []),
  version: v.optional(v.nullable(v.string())),
  dist: v.optional(v.nullable(v.string())),
})
const DEBUG_FILES = v.record(
  v.string(),
  v.object({ name: v.optional(v.string(), ''), chunks: v.optional(texts, []) }),
)

export const UPLOAD_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: CHUNK_UPLOAD,
    permission: 'release.write',
    upload: 'upload',
    what: 'how files are uploaded in chunks',
    answer: CHUNK_SERVER,
    run: async ({ askedAt, scope }) =>
      answerOk({
        url: `${askedAt}/api/0/organizations/${scope.orgSlug}/chunk-upload/`,
        chunkSize: max('chunkBytesMax'),
        chunksPerRequest: max('chunksPerRequestMax'),
        maxRequestSize: max('chunkRequestBytesMax'),
        maxFileSize: max('uploadBytesMax'),
        maxWait: 60,
        ...{ concurrency: 4, hashAlgorithm: 'sha1', compression: ['gzip'], accept: KINDS },
      }),
  }),
  orgRoute({
    method: 'POST',
    pattern: CHUNK_UPLOAD,
    permission: 'release.write',
    upload: 'chunks',
    bodyBytesMax: max('chunkRequestBytesMax') + REST_BYTES,
    what: 'takes chunks, each named by the SHA-1 of its bytes',
    answer: EMPTY_OBJECT,
    async run(call) {
      grantedOrThrow(await call.commands.uploadChunks(call, await call.bytes()))
      return answerOk({})
    },
  }),
  {
    method: 'POST',
    pattern: '/organizations/{org}/artifactbundle/assemble/',
    permission: 'release.write',
    body: ASSEMBLY,
    upload: 'artifact bundle',
    bodyBytesMax: REST_BYTES,
    what: 'makes an artifact bundle of chunks',
    answer: ASSEMBLED,
    failure: NOT_ASSEMBLED,
    async run(call) {
      const { checksum, chunks, projects, version, dist } = readBody(ASSEMBLY, await call.json())
      return answerAssembled(call, {
        ...{ kind: 'bundle', sha1: checksum, chunks, name: '', projects: projects.map(String) },
        ...{ release: emptyAsNull(version), dist: emptyAsNull(dist) },
      })
    },
  },
  {
    method: 'POST',
    pattern: '/organizations/{org}/releases/{version}/assemble/',
    permission: 'release.write',
    body: ASSEMBLY,
    upload: 'artifact bundle',
    bodyBytesMax: REST_BYTES,
    what: 'makes an artifact bundle of chunks, for a release',
    answer: ASSEMBLED,
    failure: NOT_ASSEMBLED,
    async run(call) {
      const { checksum, chunks, projects, dist } = readBody(ASSEMBLY, await call.json())
      return answerAssembled(call, {
        ...{ kind: 'bundle', sha1: checksum, chunks, name: '' },
        // Clients that know no bundles with ids name none: it is found by its release in each.
        projects: projects.length > 0 ? projects.map(String) : 'all',
        ...{ release: call.params.version ?? null, dist: emptyAsNull(dist) },
      })
    },
  },
  {
    method: 'POST',
    pattern: '/projects/{org}/{project}/files/difs/assemble/',
    permission: 'release.write',
    body: DEBUG_FILES,
    upload: 'debug file',
    bodyBytesMax: REST_BYTES,
    what: 'keeps debug files of other platforms',
    answer: DEBUG_FILES_ASSEMBLED,
    run: assembleDebugFiles,
  },
  orgRoute({
    method: 'GET',
    pattern: '/projects/{org}/{project}/files/dsyms/unknown/',
    permission: 'release.write',
    what: 'which of the debug files with these checksums are not here',
    query: [CHECKSUMS],
    answer: DEBUG_FILES_MISSING,
    async run(call) {
      const checksums = call.url.searchParams.getAll(CHECKSUMS.name).slice(0, max('debugFilesPerCallMax'))
      existing(await call.queries.project(call.scope, call.params.project ?? ''))
      return answerOk({ missing: grantedOrThrow(await call.commands.unknownDebugFiles(call, checksums)) })
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: '/projects/{org}/{project}/files/dsyms/',
    permission: 'release.write',
    upload: 'debug file',
    bodyBytesMax: max('releaseFileBytesMax') + REST_BYTES,
    what: 'keeps the debug file of a form',
    answer: DEBUG_FILES_KEPT,
    async run(call) {
      const project = existing(await call.queries.project(call.scope, call.params.project ?? ''))
      const upload = { projects: [String(project.id)], request: await call.bytes() }
      const { sha1, name } = grantedOrThrow(await call.commands.uploadDebugFile(call, upload))
      return { status: 201, body: [debugFileShape(sha1, name)] }
    },
  }),
]

/** Tools send an empty text for what was not named. */
function emptyAsNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text
}

type Upload = Parameters<OrgCall['commands']['assembleUpload']>[1]

async function answerAssembled(call: OrgCall, upload: Upload) {
  const answer = grantedOrThrow(await call.commands.assembleUpload(call, upload))
  return answer.state === 'error'
    ? { status: 400, body: { ...assembleShape(answer), error: answer.detail } }
    : answerOk(assembleShape(answer))
}

function assembleShape(answer: AssembleAnswer): Readonly<Record<string, unknown>> {
  if (answer.state === 'not_found') return { state: 'not_found', missingChunks: answer.missing, detail: null }
  return { state: answer.state, missingChunks: [], detail: answer.detail }
}

/** Answers per file, under its checksum. None is read yet. */
async function assembleDebugFiles(call: OrgCall) {
  const project = existing(await call.queries.project(call.scope, call.params.project ?? ''))
  const files = Object.entries(readBody(DEBUG_FILES, await call.json())).slice(0, max('debugFilesPerCallMax'))
  const answers: [string, unknown][] = []
  for (const [sha1, { name, chunks }] of files) {
    const upload: Upload = {
      ...{
        kind: 'debug_file',
        sha1,
        chunks,
        name,
        projects: [String(project.id)],
        release: null,
        dist: null,
      },
    }
    const answer = grantedOrThrow(await call.commands.assembleUpload(call, upload))
    const dif = debugFileShape(sha1, name)
    answers.push([sha1, answer.state === 'ok' ? { ...assembleShape(answer), dif } : assembleShape(answer)])
  }
  return answerOk(Object.fromEntries(answers))
}

function debugFileShape(sha1: string, name: string) {
  return {
    ...{ id: sha1, uuid: null, debugId: null, objectName: name, cpuName: 'any', sha1 },
    ...{ symbolType: 'unknown', data: { features: [] } },
  }
}
