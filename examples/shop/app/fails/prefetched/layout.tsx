import type { ReactNode } from 'react'
import { ask } from '../../../lib/database'

/** Of a link in sight, Next.js fetches layouts ahead, down to the next `loading.tsx`. */
export default async function OffersLayout({ children }: { readonly children: ReactNode }) {
  const offers = await offersOfToday()
  return (
    <section>
      <h1>{offers}</h1>
      {children}
    </section>
  )
}

async function offersOfToday(): Promise<string> {
  await ask('SELECT * FROM offers WHERE ends_at > now()')
  throw new Error('the offers of today are not printed yet')
}
