import { describe, it } from 'node:test'
import { apart, event, frame, library, type Raw, thrown, together } from '#testing/one-failure.ts'

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
    together(by('nuxt', asked), by('nuxt', inProcess), by('nuxt', [...inProcess, ...nitro('createError$1')]))
  })

  it('fails as another where another of its functions throws', () => {
    apart(by('nuxt', asked), by('nuxt', [...nitro('Object.handler'), BOATS]))
  })

  it('leaves a stack of Nitro alone, and stacks of other SDKs', () => {
    apart(by('nuxt', nitro('openStorage')), by('nuxt', nitro('openDatabase')))
    apart(by('nextjs', asked), by('nextjs', inProcess))
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
    together(
      by('tanstackstart-react', [...server('loader', 'executeMiddleware$1'), middleware, ...own]),
      by('tanstackstart-react', [...server('handleServerAction', '__executeServer'), middleware, ...own]),
      by('tanstackstart-react', [...server('handleServerAction'), bundled, ...own]),
    )
  })

  it('fails as another than a function beside it', () => {
    const other = [...server('options.server'), frame('sinkBoat', '/app/dist/server/fns.js')]
    apart(by('tanstackstart-react', [middleware, ...own]), by('tanstackstart-react', [middleware, ...other]))
  })
})

describe('a load of SvelteKit', () => {
  const load = frame('load', 'app:///src/routes/orders/+page.server.js')
  const place = { function: 'Promise.all', filename: 'app:///index 1', in_app: true }

  it('fails as one issue, for a document or for page data', () => {
    together(by('sveltekit', [load]), by('sveltekit', [place, load]))
  })

  it('changes nothing for other SDKs', () => {
    apart(by('nextjs', [load]), by('nextjs', [place, load]))
  })
})
