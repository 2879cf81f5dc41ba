import { Suspense } from 'react'
import { Await, useLoaderData } from 'react-router'
import { pause } from '../pause'

export function loader() {
  return { reviews: reviewsOf() }
}

async function reviewsOf(): Promise<string> {
  await pause(150)
  throw new Error('the reviews did not answer')
}

export default function Late() {
  const { reviews } = useLoaderData<typeof loader>()
  return (
    <section>
      <h1>Sencha</h1>
      <Suspense fallback={<p>Asking our guests …</p>}>
        <Await resolve={reviews}>{(text) => <p>{text}</p>}</Await>
      </Suspense>
    </section>
  )
}
