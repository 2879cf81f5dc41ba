import { Await, createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { getCrew } from '../boats'

export const Route = createFileRoute('/late')({
  loader: () => ({ crew: getCrew() }),
  component: Late,
})

function Late() {
  const { crew } = Route.useLoaderData()
  return (
    <Suspense fallback={<h1>Waiting</h1>}>
      <Await promise={crew}>{() => <h1>Crew</h1>}</Await>
    </Suspense>
  )
}
