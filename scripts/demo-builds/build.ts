/**
 * Makes what the demo uploads: each release of the sample shop built by a real bundler, with source maps, and its
 * failures at the positions where the built files really failed. `node scripts/with-node24.mjs scripts/demo-builds/build.ts`
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build as bundle } from 'vite'
import { ROOT } from '../node24.mjs'
import { type Build, sourcesOf } from './sources.ts'

const TARGET = join(ROOT, 'packages/errata/src/demo/builds.json')

interface Entry {
  /** Name of the built file, without its hash; names the global that its exports are on as well. */
  readonly name: string
  readonly path: string
  /** Place it runs at: an address below it, or a path. */
  readonly place: string
}

const ENTRIES: readonly Entry[] = [
  { name: 'checkout', path: 'src/checkout/checkout.ts', place: 'https://shop.example/assets/' },
  { name: 'reviews', path: 'src/reviews/reviews.ts', place: 'https://shop.example/assets/' },
  { name: 'orders', path: 'src/server/orders.ts', place: '/srv/shop/dist/' },
  { name: 'orderPage', path: 'src/app/orders/[id]/page.ts', place: 'app:///_next/server/chunks/ssr/' },
]

/** Calls of the demo, with answers that a server may give but no type allows. */
const CALLS = [
  { name: 'summary', entry: 'checkout', call: 'checkout.renderSummary({ id: 40118, lines: [] })' },
  { name: 'delivery', entry: 'checkout', call: "checkout.renderDelivery({ id: 40121, promised: '' })" },
  { name: 'voucher', entry: 'checkout', call: 'checkout.redeemVoucher({ fields: [] })' },
  { name: 'reviews', entry: 'reviews', call: "reviews.renderStars({ name: 'Oak desk' })" },
  {
    name: 'payment',
    entry: 'orders',
    call: "orders.placeOrder(40130, { status: 502, provider: 'paywell' })",
  },
  {
    name: 'order-page',
    entry: 'orderPage',
    call: "orderPage.OrderPage({ id: 'A-20418', lines: [], refunded: 0 })",
  },
] as const

const directory = mkdtempSync(join(tmpdir(), 'errata-demo-builds-'))
const releases = []
for (const number of [0, 1, 2, 3] as const) releases.push(await release(number))
writeFileSync(TARGET, `${JSON.stringify(releases, null, 2)}\n`)
rmSync(directory, { recursive: true })

async function release(number: Build) {
  const root = join(directory, String(number))
  for (const [path, text] of Object.entries(sourcesOf(number))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const files: Awaited<ReturnType<typeof built>>[] = []
  for (const entry of ENTRIES) files.push(await built(root, entry))
  const failures = CALLS.flatMap(({ name, entry, call }) => {
    const file = files.find((each) => each.name === entry)
    const failure = file === undefined ? null : failureOf(file, call)
    return failure === null ? [] : [{ name, file: entry, ...failure }]
  })
  return { files, failures }
}

async function built(root: string, { name, path, place }: Entry) {
  await bundle({
    ...{ root, configFile: false, logLevel: 'silent', publicDir: false },
    build: {
      ...{ sourcemap: 'hidden', minify: false, modulePreload: false, emptyOutDir: false },
      rolldownOptions: {
        input: join(root, path),
        preserveEntrySignatures: 'strict',
        output: { format: 'iife', name, entryFileNames: `${name}.js`, minify: true },
      },
    },
  })
  const code = readFileSync(join(root, 'dist', `${name}.js`), 'utf8').trimEnd()
  const map = JSON.parse(readFileSync(join(root, 'dist', `${name}.js.map`), 'utf8'))
  const hash = createHash('sha256').update(code).update(JSON.stringify(map)).digest('hex')
  const debugId = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
    .concat(hash.slice(20, 32))
    .join('-')
  return {
    ...{ name, debugId, address: `${place}${name}-${hash.slice(0, 8)}.js` },
    code: `${code}\n//# debugId=${debugId}\n`,
    map: JSON.stringify({ ...map, file: `${name}.js`, debug_id: debugId }),
  }
}

/** Returns the failure with the innermost frame last, as SDKs send it; `null` if nothing failed. */
function failureOf({ code, address }: { readonly code: string; readonly address: string }, call: string) {
  const context = createContext({ Intl })
  runInContext(code, context, { filename: address })
  try {
    runInContext(call, context, { filename: 'call' })
    return null
  } catch (error) {
    if (!hasStack(error)) throw error
    const frames = error.stack.split('\n').flatMap((line) => {
      const [, lineno, colno] = /:(\d+):(\d+)\)?$/.exec(line) ?? []
      if (!line.includes(address) || lineno === undefined) return []
      const name = /at (?:new )?(\S+)(?: \[as \S+\])? \(/.exec(line)?.[1]
      return [{ function: name ?? '?', lineno: Number(lineno), colno: Number(colno) }]
    })
    return { type: error.name, value: error.message, frames: frames.reverse() }
  }
}

/** An error of another context is no instance of our own class. */
function hasStack(error: unknown): error is Pick<Error, 'name' | 'message'> & { readonly stack: string } {
  return typeof error === 'object' && error !== null && 'stack' in error && 'message' in error
}
