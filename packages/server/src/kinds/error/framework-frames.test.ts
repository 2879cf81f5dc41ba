import { describe, it } from 'node:test'
import { assertApart, assertTogether, event, frame, library, type Raw, thrown } from '#testing/one-failure.ts'

const by = (name: string, frames: readonly Raw[]): Raw =>
  event('node', thrown('RangeError', 'no customer', frames), {
    sdk: { name: `sentry.javascript.${name}`, version: '10.75.2' },
  })

const SERVER = '/app/.output/server/chunks'
const NITRO = `${SERVER}/nitro/nitro.mjs`
const nitro = (...names: readonly string[]) => names.map((name) => frame(name, NITRO))
const ORDERS = frame('orderOf', `${SERVER}/routes/api/orders.get.mjs`)
const BOATS = frame('boatOf', `${SERVER}/routes/api/orders.get.mjs`)

describe('a Nuxt API route', () => {
  const asked = [...nitro('Server.toNodeHandle', 'Object.handler'), ORDERS]
  const setup = frame('setup', `${SERVER}/build/orders-Bx81kqPz.mjs`)
  const inProcess = [setup, ...nitro('$fetchRaw2', 'C', 'b', 'toNodeHandle', 'Object.handler'), ORDERS]

  it('fails as one issue, asked by a browser or by a page that renders', () => {
    assertTogether(
      by('nuxt', asked),
      by('nuxt', inProcess),
      by('nuxt', [...inProcess, ...nitro('createError$1')]),
    )
  })

  it('fails as another where another of its functions throws', () => {
    assertApart(by('nuxt', asked), by('nuxt', [...nitro('Object.handler'), BOATS]))
  })

  /** Frames as sent: the SDK wraps handlers, and h3's own have no name. */
  const handedOn = [
    { ...frame('toNodeHandle', NITRO), context_line: 'await app.handler(event);' },
    { ...frame('?', NITRO), context_line: 'return await handlerTarget.apply(handlerThisArg, handlerArgs);' },
    { ...frame('Object.?', NITRO), context_line: 'const val = await layer.handler(event);' },
  ]
  const overHttp = [frame('Server.toNodeHandle', NITRO), ...handedOn.slice(1)]
  const rendering = [setup, ...nitro('$fetch2', '$fetchRaw2', 'C', 'b'), ...handedOn]
  const shared = (name: string) => frame(name, NITRO)

  it('fails as one issue in a function of server/utils, which is bundled into Nitro’s file', () => {
    const retried = [setup, ...nitro('$fetch2', '$fetchRaw2', '$fetchRaw2', 'C', 'b'), ...handedOn]
    for (const own of [
      [shared('depotOf')],
      [shared('depotOf'), ...nitro('createError$1')],
      [ORDERS, shared('depotOf')],
    ])
      assertTogether(...[overHttp, rendering, retried].map((way) => by('nuxt', [...way, ...own])))
    assertApart(by('nuxt', [...rendering, shared('depotOf')]), by('nuxt', [...rendering, shared('boatOf')]))
    assertApart(
      by('nuxt', [...overHttp, ORDERS, shared('depotOf')]),
      by('nuxt', [...overHttp, ORDERS, shared('boatOf')]),
    )
  })

  it('fails as one issue where a text was thrown, of which h3 makes an error', () => {
    const made = (way: readonly Raw[]) => by('nuxt', [...way.slice(0, -2), ...nitro('createError$1')])
    assertTogether(made(overHttp), made(rendering))
  })

  it('leaves a stack of Nitro alone, and stacks of other SDKs', () => {
    assertApart(by('nuxt', nitro('openStorage')), by('nuxt', nitro('openDatabase')))
    assertApart(by('nextjs', asked), by('nextjs', inProcess))
  })
})

describe('a page of Nuxt that passes an answer on', () => {
  const passedOn = (trace: string, text: string, said = text) =>
    event(
      'node',
      [
        thrown('FetchError', `[GET] "/api/depots/4": 500 ${said}`, [frame('setup', '/app/page.mjs')]),
        thrown('Error', text, [frame('setup', '/app/page.mjs')]),
      ],
      {
        sdk: { name: 'sentry.javascript.nuxt', version: '10.75.2' },
        contexts: { trace: { trace_id: trace.repeat(32), span_id: 'b'.repeat(16) } },
      },
    )

  it('is of the failure of its own trace, with the text that the app gave the answer too', () => {
    for (const text of ['Server Error', 'Depot broke']) assertApart(passedOn('a', text), passedOn('c', text))
  })

  it('is none of a text of its own', () => {
    assertTogether(
      passedOn('a', 'the depot is closed', 'Depot broke'),
      passedOn('c', 'the depot is closed', 'Depot broke'),
    )
  })
})

describe('a TanStack server function', () => {
  const SERVER_FILE = '/app/dist/server/server.js'
  const server = (...names: readonly string[]) => names.map((name) => frame(name, SERVER_FILE))
  const middleware = library(
    'sentryFunctionMiddlewareHandler',
    '/app/node_modules/@sentry/tanstackstart-react/build/esm/server/globalMiddleware.js',
  )
  const bundled = frame('sentryFunctionMiddlewareHandler', SERVER_FILE)
  const own = [...server('callNextMiddleware', 'options.server'), frame('getBoat', '/app/dist/server/fns.js')]

  it('fails as one issue, called in the process or over HTTP, with the SDK bundled or not', () => {
    assertTogether(
      by('tanstackstart-react', [...server('loader', 'executeMiddleware$1'), middleware, ...own]),
      by('tanstackstart-react', [...server('handleServerAction', '__executeServer'), middleware, ...own]),
      by('tanstackstart-react', [...server('handleServerAction'), bundled, ...own]),
    )
  })

  it('fails as one issue where it throws a text, whose stack is of the middlewares that tell of it', () => {
    const text = (...names: readonly string[]) =>
      event(
        'node',
        thrown('Error', 'no harbour', [...server(...names), bundled], {
          mechanism: {
            type: 'auto.middleware.tanstackstart.server_function',
            handled: false,
            synthetic: true,
          },
        }),
        { sdk: { name: 'sentry.javascript.tanstackstart-react', version: '10.75.2' } },
      )
    assertTogether(text('handleServerAction', '__executeServer'), text('callNextMiddleware', 'client'))
  })

  it('fails as another than a function beside it', () => {
    const other = [...server('options.server'), frame('sinkBoat', '/app/dist/server/fns.js')]
    assertApart(
      by('tanstackstart-react', [middleware, ...own]),
      by('tanstackstart-react', [middleware, ...other]),
    )
  })

  it('fails as another where it is written in place: every such function has the framework’s name', () => {
    const inPlace = (line: string) =>
      by('tanstackstart-react', [
        ...[...server('handleServerAction'), middleware, ...server('callNextMiddleware', 'server')],
        { ...frame('Object.serverFn', '/app/dist/server/assets/fns.js'), context_line: line },
      ])
    assertApart(
      inPlace('throw new Error("the boat cannot be sunk");'),
      inPlace('throw new Error("no tides");'),
    )
    assertTogether(inPlace('throw new Error("no tides");'), inPlace('  throw new Error("no tides");'))
  })
})

describe('a page of Astro', () => {
  const astro = (...names: readonly string[]) =>
    names.map((name) => frame(name, '/app/dist/server/chunks/server_-CD0KZHh.mjs'))
  const page = (name: string) => frame(name, '/app/dist/server/chunks/_id__BCPY-_S_.mjs')

  it('fails as one issue, however many calls of Astro the engine kept', () => {
    const [outer, inner] = [
      astro('render', 'handleMiddleware', 'callMiddleware'),
      astro('handlePages', 'renderPage', 'callComponentAsTemplateResultOrResponse'),
    ]
    assertTogether(
      by('astro', [...outer, ...inner, page('stoneOf')]),
      by('astro', [...inner, page('stoneOf')]),
    )
    assertApart(by('astro', [...inner, page('stoneOf')]), by('astro', [...inner, page('boatOf')]))
  })
})

describe('a load of SvelteKit', () => {
  const load = frame('load', 'app:///src/routes/orders/+page.server.js')
  const place = { function: 'Promise.all', filename: 'app:///index 1', in_app: true }

  it('fails as one issue, for a document or for page data', () => {
    assertTogether(by('sveltekit', [load]), by('sveltekit', [place, load]))
  })

  /** Frames of a build without source maps: Kit lies in chunks of any name, which SDKs call the app's. */
  const kit = (name: string | undefined, line: string, file = 'instance.js') => ({
    ...{ filename: `app:///${file}`, lineno: 400, in_app: true, context_line: line },
    ...(name === undefined ? {} : { function: name }),
  })
  const own = frame('load', 'app:///_page.server.js')
  const orderOf = (name = 'orderOf') => frame(name, 'app:///orders.js')
  const called = [
    kit('load_server_data', 'data: await record_span({'),
    { ...kit(undefined, 'return await fn(span);', 'telemetry.js'), in_app: false },
    kit('fn', 'return await with_request_store({'),
  ]
  const byDocument = [kit(undefined, 'const server_data = await load_server_data({'), ...called]
  const byPageData = [
    kit('resolve', 'if (is_data_request) response = await render_data(event,'),
    ...[kit('render_data', 'await Promise.all(promises.map(async (p, i) => {'), place],
    ...[kit(undefined, 'const node = await p.catch(async (error) => {'), ...called],
  ]

  it('fails as one issue where a bundle has Kit’s own server, and two of its functions as two', () => {
    assertTogether(
      by('sveltekit', [...byDocument, own, orderOf()]),
      by('sveltekit', [...byPageData, own, orderOf()]),
      by('sveltekit', [own, orderOf()]),
    )
    assertApart(
      by('sveltekit', [...byDocument, own, orderOf()]),
      by('sveltekit', [...byPageData, own, orderOf('boatOf')]),
    )
  })

  it('fails as one issue where a page asks for another’s data in the process', () => {
    const asked = [own, kit('internal_respond', 'const response = await resolve(event)'), ...byDocument]
    const answer = frame('GET', 'app:///_server.js')
    assertTogether(by('sveltekit', [...asked, answer]), by('sveltekit', [...byDocument, answer]))
  })

  it('leaves a stack of Kit alone', () => {
    assertApart(by('sveltekit', [kit('render_page', 'x')]), by('sveltekit', [kit('render_endpoint', 'y')]))
  })

  it('changes nothing for other SDKs', () => {
    assertApart(by('nextjs', [load]), by('nextjs', [place, load]))
  })
})

describe('two bugs in one function of a framework’s server', () => {
  const FILE = '/app/build/server/chunks/orders.js'
  const at = (line: string, fields: Raw = {}) => frame('orderOf', FILE, { context_line: line, ...fields })
  const bug = (...frames: readonly Raw[]) => by('sveltekit', [frame('load', FILE), ...frames])
  const noCustomer = at('  if (id === "1") throw new Error("order has no customer");')

  it('are two issues by the line that throws, in the next build too', () => {
    assertApart(bug(noCustomer), bug(at('if (id === "2") throw new Error("order has no lines");')))
    assertTogether(
      bug(noCustomer),
      bug({ ...noCustomer, lineno: 90, colno: 8, abs_path: '/srv/build/orders.js' }),
    )
    assertTogether(bug(at('return orders$2.get(id).lines')), bug(at('\treturn orders$11.get(id).lines')))
  })

  it('are two issues where the statement goes on below', () => {
    const answer = (text: string) =>
      at('throw createError({', { post_context: ['  statusCode: 500,', `  message: "${text}"`, '});'] })
    assertApart(by('nuxt', [answer('no customer')]), by('nuxt', [answer('no lines')]))
    assertTogether(by('nuxt', [answer('no customer')]), by('nuxt', [answer('no customer')]))
  })

  it('are two issues where the app’s own function or class makes the error', () => {
    const caller = (line: string) => frame('orderOf', FILE, { context_line: line })
    for (const made of [
      frame('invariant', FILE, { context_line: 'if (!condition) throw new Error(message);' }),
      frame('new OrderError', FILE, { context_line: 'super(message);' }),
    ])
      assertApart(
        bug(caller('invariant(order.customer, "no customer");'), made),
        bug(caller('invariant(order.lines.length > 0, "no lines");'), made),
      )
  })

  it('are two issues where the app throws its own error for both, with each as its cause', () => {
    const wrapped = (cause: Raw) =>
      event(
        'node',
        [
          thrown('Error', 'no customer', [frame('load', FILE), cause]),
          thrown('LoadError', 'the order failed', [
            frame('load', FILE, { context_line: 'throw new LoadError()' }),
          ]),
        ],
        { sdk: { name: 'sentry.javascript.astro', version: '10.75.2' } },
      )
    assertApart(wrapped(noCustomer), wrapped(at('throw new Error("order has no lines");')))
  })

  it('are told by the function alone where no line is known, or a bundle has all in one', () => {
    assertTogether(bug(at('x'.repeat(500))), bug(at('{snip} y {snip}')), bug(frame('orderOf', FILE)))
  })

  it('are as they were for other SDKs, and where somebody said what the group is', () => {
    const other = at('throw new Error("order has no lines");')
    assertTogether(by('nextjs', [noCustomer]), by('nextjs', [other]))
    assertTogether(
      { ...bug(noCustomer), fingerprint: ['orders'] },
      { ...bug(other), fingerprint: ['orders'] },
    )
  })
})
