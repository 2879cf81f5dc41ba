import { Suspense } from 'react'
import { pause } from '../../../lib/database'

export default function LatePage() {
  return (
    <section>
      <h1>Sencha</h1>
      <Suspense fallback={<p>Asking our guests …</p>}>
        <Reviews />
      </Suspense>
    </section>
  )
}

async function Reviews(): Promise<React.ReactNode> {
  await pause(150)
  throw new Error('the reviews did not answer')
}
