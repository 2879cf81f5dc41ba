import { notFound } from 'next/navigation'
import { Draw, Greeting, Note, OpenUntil } from './parts'

const PARTS: Readonly<Record<string, () => React.JSX.Element>> = {
  'time-zone': OpenUntil,
  random: Draw,
  nesting: Note,
  text: Greeting,
}

/** The server's HTML and the browser's differ, each time for another reason. */
export default async function HydrationPage({ params }: { readonly params: Promise<{ cause: string }> }) {
  const Part = PARTS[(await params).cause]
  if (Part === undefined) notFound()
  return (
    <section>
      <h1>Today</h1>
      <Part />
      <a href="/">Back to the shop</a>
    </section>
  )
}
