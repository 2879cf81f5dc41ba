import { Suspense } from 'react'
import { Width } from './width'

export default function SsrOnlyPage() {
  return (
    <Suspense fallback={<p>Measuring …</p>}>
      <Width />
    </Suspense>
  )
}
