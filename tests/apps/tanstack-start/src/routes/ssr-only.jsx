import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'

export const Route = createFileRoute('/ssr-only')({ component: Page })

function Page() {
  return (
    <Suspense fallback={<p>Waiting</p>}>
      <Width />
    </Suspense>
  )
}

function Width() {
  if (typeof window === 'undefined') throw new ReferenceError('a window is needed for its width')
  return <h1>{window.innerWidth > 0 ? 'Wide' : 'Narrow'}</h1>
}
