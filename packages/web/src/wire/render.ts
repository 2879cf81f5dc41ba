/** Renders a page on the server: React inside the document's shell, complete before anything is sent. */
import { Writable } from 'node:stream'
import { max } from '@errata/server/limits'
import { type ComponentType, createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import type { FormOutcome, PageData, PageState, WireError } from './answers.ts'
import type { AppTables, FrameParts } from './app-tables.ts'
import type { Assets } from './assets.ts'
import { withBasePath } from './base-path.ts'
import { documentHtml, type Theme } from './document.ts'
import { asFailure } from './failures.ts'
import type { Match } from './page-at.ts'
import type { PageRoute } from './route.ts'
import { RouterView, stillRouter } from './router.ts'
import type { Serving } from './serve-context.ts'
import { WireContext } from './wire-context.ts'

export interface RenderInput {
  readonly serving: Serving
  readonly match: Match<PageRoute>
  readonly data: PageData
  readonly error: WireError | null
  readonly form: FormOutcome | null
}

export type RenderPage = (input: RenderInput) => Promise<string>

/** A render that takes longer is a failure of ours. */
const RENDER_MS_MAX = 10_000

/** Loads every view, then answers a function that renders pages as whole documents. Throws what rendering throws. */
export async function createRender(tables: AppTables, assets: Assets, build: string): Promise<RenderPage> {
  const views = await Promise.all(tables.pages.map(async (page) => [page.id, await page.view()] as const))
  const app: App = { frame: tables.frame, views: new Map(views) }
  const kept = new KeptPages()
  return async (input) => {
    const html = await keptOrRendered(app, input, kept)
    const { serving, match } = input
    const report = serving.engine.selfTarget?.() ?? null
    const state: PageState = {
      build,
      data: input.data,
      form: input.form,
      report:
        report === null
          ? null
          : { dsn: report.dsn, tunnel: report.tunnel === null ? null : withBasePath(report.tunnel) },
      error: input.error,
      traceId: serving.traceId,
    }
    return documentHtml({
      html,
      state,
      nonce: serving.nonce,
      theme: themeOf(serving),
      entry: assets.entry,
      styles: assets.styles,
      preloads: assets.scriptsFor(match.route.file),
    })
  }
}

export function themeOf({ viewer }: Pick<Serving, 'viewer'>): Theme {
  return viewer?.user.theme ?? 'system'
}

/**
 * Renders a page; without a viewer only once: the same page with the same data is the same for everybody.
 * Nonce, trace and everything else that belongs to one answer are in the shell around it.
 */
async function keptOrRendered(app: App, input: RenderInput, kept: KeptPages): Promise<string> {
  const url = renderedAs(input)
  const key = sharedKey(input, url)
  const before = key === null ? null : kept.get(key)
  if (before !== null) return before
  await input.serving.turn()
  // Whoever had the turn before may have rendered the same.
  const meanwhile = key === null ? null : kept.get(key)
  if (meanwhile !== null) return meanwhile
  const element = appElement(app, input, url)
  const html = renderToString(element)
  // With parts that wait, what is rendered holds the nonce.
  if (UNFINISHED.test(html)) return renderPatiently(element, input.serving.nonce)
  if (key !== null) kept.keep(key, html)
  return html
}

/** `null`: the page is for somebody, or answers what they sent. */
function sharedKey({ serving, match, data, error, form }: RenderInput, url: URL): string | null {
  if (serving.viewer !== null || form !== null) return null
  return JSON.stringify([match.route.id, url.href, data, error])
}

/** Any address without a page reads the same to whoever is not signed in: it is rendered at one of them. */
function renderedAs({ serving: { viewer, url }, match }: RenderInput): URL {
  return viewer === null && match.route.path === '*' ? new URL(NOWHERE, url) : url
}

/** More parts than any page's address has. */
const NOWHERE = '/-/-/-/-/-/-/-/-'

interface App {
  readonly frame: FrameParts
  readonly views: ReadonlyMap<string, ComponentType>
}

function appElement(
  { frame, views }: App,
  { match, data, error, form }: RenderInput,
  { pathname, search }: URL,
): React.ReactElement {
  const page = match.route
  const View = views.get(page.id)
  if (View === undefined) throw new Error(`the page ${page.id} has no view`)
  const router = stillRouter({
    ...{ page, View, data },
    location: { pathname, search, hash: '', key: 'default' },
    refusal: error === null ? null : { error: asFailure(error) },
    failure: null,
    keepsScroll: false,
  })
  const wire = { client: null, form, preloadView: () => {}, arrived: () => {}, reporter: null }
  return createElement(WireContext, { value: wire }, createElement(RouterView, { router, frame }))
}

/** Mark of a part that waits for its code, or failed. No text can contain it: `<` is escaped. */
const UNFINISHED = /<!--\$[?!]-->/

/**
 * HTML once everything is there, so that a failure anywhere can still be a 500. Only where something has to be waited
 * for: it costs a fifth more, because a stream writes each small piece into bytes, and nobody reads it as one.
 */
function renderPatiently(element: React.ReactElement, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const sink = new Writable({
      write(part: Buffer, _encoding, done) {
        parts.push(part)
        done()
      },
      final(done) {
        resolve(Buffer.concat(parts).toString('utf8'))
        done()
      },
    })
    const timer = setTimeout(() => stream.abort(new Error('rendering took too long')), RENDER_MS_MAX)
    const stream = renderToPipeableStream(element, {
      nonce,
      onAllReady() {
        clearTimeout(timer)
        stream.pipe(sink)
      },
      onError(error) {
        clearTimeout(timer)
        reject(error)
      },
    })
  })
}

class KeptPages {
  readonly #html = new Map<string, string>()

  get(key: string): string | null {
    return this.#html.get(key) ?? null
  }

  keep(key: string, html: string): void {
    if (key.length + html.length > max('pageKeptCharsMax')) return
    this.#html.set(key, html)
    const oldest = this.#html.keys().next()
    if (this.#html.size > max('pagesKeptMax') && !oldest.done) this.#html.delete(oldest.value)
  }
}
