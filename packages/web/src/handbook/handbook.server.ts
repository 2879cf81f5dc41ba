/** Answers `/docs`: the handbook that was built with this version, for whoever has the address. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { max } from '@errata/server/limits'
import { paths } from '#parts/paths.ts'
import type { Assets } from '#wire/assets.ts'
import type { Documents, FoundDocument } from '#wire/documents.ts'
import { themeOf } from '#wire/render.ts'
import { fileHeaders, isUnchanged, keptDocument, redirectResponse } from '#wire/respond.ts'
import type { Serving } from '#wire/serve-context.ts'
import { askedAddress } from '#wire/serve-context.ts'
import type { Handbook } from './handbook.ts'
import { type HandbookView, missingDocument, pageDocument, searchDocument } from './handbook-document.ts'
import { type FindSections, sectionFinder } from './search.ts'

const ROOT = '/docs'
/** Below `/docs`; no page may be called so. */
const SEARCH = 'find'
const ENTRY = 'src/handbook/browser.ts'

interface Parts {
  readonly directory: string
  readonly handbook: Handbook
  readonly find: FindSections
  readonly assets: Assets
  readonly screens: Screens
}

/** Pages of the app, each with the section that explains it. */
type Screens = readonly { readonly id: string; readonly docs: string }[]

/** Read once: some hundred kilobytes. */
export function readHandbook(directory: string, assets: Assets, screens: Screens): Documents {
  const handbook: Handbook = JSON.parse(readFileSync(join(directory, 'handbook.json'), 'utf8'))
  const parts: Parts = { directory, handbook, find: sectionFinder(handbook), assets, screens }
  return {
    patternOf: (pathname) => (pathname === ROOT || pathname.startsWith(`${ROOT}/`) ? `${ROOT}/*` : null),
    find: (query) => foundOf(parts, query),
    answer: (serving) => answerHandbook(parts, serving),
  }
}

function answerHandbook(parts: Parts, serving: Serving): Response {
  const { handbook } = parts
  const path = serving.url.pathname.slice(ROOT.length + 1).replace(/\/+$/, '')
  const query = (serving.url.searchParams.get('q') ?? '').slice(0, max('handbookQueryCharsMax')).trim()
  if (path.startsWith('files/')) return fileAnswer(parts, serving, path.slice('files/'.length))
  const screen = parts.screens.find(({ id }) => id === serving.url.searchParams.get('of'))
  if (path === '' && screen !== undefined) {
    const [slug, anchor] = screen.docs.split('#')
    return redirectResponse(paths.docs(slug, anchor))
  }
  const view = handbookView(parts, serving)
  const send = (html: string, status: number) =>
    keptDocument(html, {
      status,
      request: serving.request,
      isHttps: serving.engine.publicAddress.isHttpsOnly,
    })
  if (path === SEARCH) {
    const found = parts.find(query, max('handbookFoundMax'))
    return send(searchDocument({ query, found }, view), 200)
  }
  const page = handbook.pages.find(({ slug }) => slug === path)
  if (page !== undefined) return send(pageDocument(page, view), 200)
  // As the file is called in the repository.
  const named = path.replace(/(?:^|\/)README\.md$|\.md$/, '')
  const isNamed = named !== path && handbook.pages.some(({ slug }) => slug === named)
  return isNamed ? redirectResponse(paths.docs(named)) : send(missingDocument(view), 404)
}

function handbookView({ handbook, assets }: Parts, serving: Serving): HandbookView {
  return {
    ...{ handbook, ...assets.entryOf(ENTRY) },
    theme: themeOf(serving),
    isSignedIn: serving.viewer !== null,
    address: askedAddress(serving),
  }
}

function foundOf({ find }: Parts, query: string): readonly FoundDocument[] {
  return find(query, max('handbookHitsMax')).map(({ slug, anchor, page, heading }) => ({
    ...{ heading, page, path: paths.docs(slug, anchor) },
  }))
}

const TYPES: ReadonlyMap<string, string> = new Map([['.png', 'image/png']])

/** Pictures, and the files of `deploy`, which are read as text. */
function fileAnswer({ directory, handbook }: Parts, { request }: Serving, name: string): Response {
  if (!handbook.files.includes(name)) return new Response('There is no such file.\n', { status: 404 })
  const file = join(directory, 'files', name)
  const { size, mtimeMs } = statSync(file)
  const etag = `"${createHash('sha256').update(`${handbook.version} ${name} ${size} ${mtimeMs}`).digest('hex').slice(0, 32)}"`
  const headers = fileHeaders(etag, TYPES.get(extname(name)) ?? 'text/plain; charset=utf-8')
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers })
  headers.set('Content-Length', String(size))
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(readFileSync(file)), { headers })
}
