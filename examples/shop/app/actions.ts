'use server'

import * as Sentry from '@sentry/nextjs'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { pause } from '../lib/database'

/** Named by hand: Errata shows `placeOrder` instead of an id of the build. */
export async function placeOrder(): Promise<void> {
  await Sentry.withServerActionInstrumentation('placeOrder', { headers: await headers() }, async () => {
    await pause(10)
    throw new Error('the card was declined by a bank that does not answer')
  })
}

export async function reserve(count: number): Promise<number> {
  if (count > 12) throw new RangeError(`${count - 12} of Sencha are missing`)
  return 12 - count
}

export async function thankYou(): Promise<void> {
  redirect('/products/sencha')
}
