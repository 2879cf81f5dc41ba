'use client'

import * as Sentry from '@sentry/nextjs'
import { callServer } from 'next/dist/client/app-call-server'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { placeOrder, reserve, thankYou } from './actions'

const GiftWrap = lazy(() => import('./gift-wrap'))

type Shown = '' | 'offers' | 'gift' | 'basket'

/** What cannot be a plain link. */
export function PressButton({ id, label }: { readonly id: string; readonly label: string }) {
  const router = useRouter()
  const [shown, show] = useState<Shown>('')
  const action = FORMS[id]
  if (action !== undefined)
    return (
      <form action={action}>
        <button className="button" type="submit" id={id} aria-label={label}>
          Try it
        </button>
      </form>
    )
  const press = () => PRESSES[id]?.({ show, go: (path) => router.push(path) })
  return (
    <>
      <button className="button" type="button" id={id} aria-label={label} onClick={press}>
        Try it
      </button>
      {shown === 'offers' ? <Link href="/fails/prefetched">Today’s offers</Link> : null}
      {shown === 'gift' ? (
        <Suspense fallback={<span>Wrapping …</span>}>
          <GiftWrap />
        </Suspense>
      ) : null}
      {shown === 'basket' ? <Basket lines={[{ name: 'Assam' }]} /> : null}
    </>
  )
}

const FORMS: Readonly<Record<string, () => Promise<void>>> = {
  action: placeOrder,
  'action-redirect': thankYou,
}

interface Presses {
  readonly show: (what: Shown) => void
  readonly go: (path: string) => void
}

const PRESSES: Readonly<Record<string, (presses: Presses) => void>> = {
  'dropped-action': () => void reserve(20),
  'route-handler': () => void fetch('/api/discount?code=SPRING'),
  edge: () => void fetch('/api/edge'),
  prefetch: ({ show }) => show('offers'),
  'stale-action': () => void callServer(OLD_ACTION, []),
  'missing-chunk': async ({ show }) => {
    // `proxy.ts` sees it, for the next two seconds.
    await cookieStore.set({ name: 'chunks_removed', value: '1', expires: Date.now() + 2_000 })
    show('gift')
  },
  client: () => console.log(totalOf([{ name: 'Sencha', cents: 1_240, count: -1 }])),
  component: ({ show }) => show('basket'),
  rejection: () => void Promise.reject(new Error('the newsletter has no more room')),
  caught: () => {
    try {
      JSON.parse('{"coupon":')
    } catch (error) {
      Sentry.captureException(new Error('the coupon could not be read', { cause: error }))
    }
  },
  aborted: ({ go }) => {
    go('/fails/slow')
    setTimeout(() => go('/products/rooibos'), 200)
  },
}

/** A tab of an older build knows an action by an id that this build does not have. */
const OLD_ACTION = `40${'0b'.repeat(20)}`

interface Line {
  readonly name: string
  readonly cents: number
  readonly count: number
}

function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + priceOf(line), 0)
}

function priceOf({ name, cents, count }: Line): number {
  if (count < 0) throw new RangeError(`not a count: ${count} of ${name}`)
  return cents * count
}

function Basket({ lines }: { readonly lines: readonly { readonly name: string; readonly price?: Line }[] }) {
  // @ts-expect-error: the mistake that is looked for
  return <span>{lines.map(({ name, price }) => `${name}: ${price.cents}`)}</span>
}
