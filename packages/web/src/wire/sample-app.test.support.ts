/** A small app that does everything the wire can serve, for its tests. */
import { createElement } from 'react'
import { object, pipe, regex, string } from 'valibot'
import type { AppTables } from './app-tables.ts'
import type { Assets } from './assets.ts'
import { changing, defineAction, longForm, shownOnce } from './define-action.ts'
import { PageRefusal } from './failures.ts'
import { notFound, redirectTo } from './loader.ts'
import { usePageData } from './page-data.ts'
import { type PageRoute, pageRoute } from './route.ts'
import { Outlet, useRouteError } from './router.ts'
import { useWire } from './wire-context.ts'

const file = 'sample.tsx'

async function loadHello() {
  return { text: '</script><script>alert(1)</script>\u2028<!--' }
}

function Hello() {
  const { text } = usePageData<typeof loadHello>()
  const { form } = useWire()
  const posted = form === null ? '' : JSON.stringify(form)
  return createElement(
    'div',
    null,
    createElement('title', null, 'Hello'),
    text,
    createElement('output', null, posted),
  )
}

function Broken(): never {
  throw new Error('a view fails')
}

const page = (id: string, path: string, more: Partial<PageRoute> = {}) =>
  pageRoute({ id, docs: '', path, access: 'anyone', file, view: async () => Hello, ...more })

export const sampleAssets: Assets = {
  entry: '/assets/browser-1.js',
  styles: ['/assets/browser-1.css'],
  entryOf: () => ({ script: '/assets/handbook.js', styles: [] }),
  scriptsFor: () => ['/assets/sample-1.js'],
  serve: (_request, pathname) => (pathname === '/assets/browser-1.js' ? new Response('1') : null),
}

export const sampleTables: AppTables = {
  pages: [
    page('hello', '/hello'),
    page('fails', '/:org/fails/:id'),
    page('broken', '/broken', { view: async () => Broken }),
    page('elsewhere', '/elsewhere'),
    page('account', '/account', { access: 'signed-in' }),
    page('system', '/system', { access: 'operator' }),
    page('issues', '/:org/issues', { access: 'issue.read' }),
    page('slow-store', '/slow-store'),
    page('missing', '*'),
  ],
  loaders: {
    frame: async () => ({ name: 'frame' }),
    hello: loadHello,
    fails: async () => {
      throw new TypeError('a loader fails')
    },
    broken: async () => null,
    elsewhere: async () => redirectTo('/hello?from=elsewhere'),
    account: loadHello,
    system: loadHello,
    issues: loadHello,
    'slow-store': async () => {
      throw Object.assign(new Error('the store did not answer'), {
        name: 'ErrataError',
        code: 'store_timeout',
      })
    },
    missing: async () => notFound(),
  },
  actions: [
    defineAction(
      'sample.say',
      'anyone',
      object({ word: pipe(string('A word.'), regex(/^\w+$/, 'One word.')) }),
      async (_ctx, { word }) => ({ result: word }),
    ),
    longForm(
      defineAction('sample.paste', 'signed-in', object({ text: string() }), async (_ctx, { text }) => ({
        result: text.length,
      })),
    ),
    shownOnce(defineAction('sample.show', 'anyone', object({}), async () => ({ result: 'shown once' }))),
    defineAction('sample.go', 'anyone', object({}), async () => ({ redirect: '/hello' })),
    defineAction('sample.fail', 'anyone', object({}), async (): Promise<never> => {
      throw new Error('an action fails')
    }),
    defineAction('sample.sign-in', 'anyone', object({}), async (ctx) => {
      const device = { cookie: 'known', maxAgeSeconds: 90 }
      ctx.session.start({ cookie: 'fresh', userId: 1 as never, maxAgeSeconds: 60, device }) // any user's id
      return { redirect: '/' }
    }),
    defineAction('sample.wait', 'anyone', object({}), async () => ({
      ok: false as const,
      code: 'too_many_attempts' as const,
      message: 'Too many.',
      retryAfterSeconds: 30,
    })),
    changing(
      { pages: ['hello', 'issues'], read: async ({ url }) => ({ text: `changed at ${url.pathname}` }) },
      defineAction('sample.change', 'anyone', object({}), async () => ({ result: null })),
    ),
    changing(
      {
        pages: ['hello'],
        read: async () => {
          throw new Error('a part that cannot be read')
        },
      },
      defineAction('sample.change-unread', 'anyone', object({}), async () => ({ result: null })),
    ),
    defineAction('sample.write', 'issue.write', object({}), async () => ({ result: null })),
  ],
  handlers: [
    { path: '/file', access: 'signed-in', handle: async () => new Response('bytes') },
    {
      path: '/file/broken',
      access: 'anyone',
      handle: async () => {
        throw new Error('a handler fails')
      },
    },
  ],
  frame: {
    Frame: () => createElement('main', null, createElement(Outlet)),
    FailurePage: Broken,
    RefusalPage,
  },
  digestPath: (digest) => `/digest/${digest}`,
  missingAt: ({ pathname }) => ({ title: `${pathname} not found`, list: '', search: '', looksFor: '' }),
}

function RefusalPage() {
  const error = useRouteError()
  if (!(error instanceof PageRefusal)) throw error
  return createElement('p', null, `refused: ${error.answer.code}`)
}
