import type { JSX } from 'react'
import { useParams } from 'react-router'

/** The server's HTML and the browser's differ, each time for another reason. */
export default function Hydration() {
  const Part = PARTS[useParams().cause ?? ''] ?? Greeting
  return (
    <section>
      <h1>Today</h1>
      <Part />
      <a href="/">Back to the shop</a>
    </section>
  )
}

function OpenUntil() {
  return <p>Open until {new Date(1_795_000_000_000).toLocaleTimeString('en-GB')}</p>
}

function Draw() {
  return <p>Your number in the raffle: {Math.floor(Math.random() * 1_000_000)}</p>
}

function Note() {
  return (
    <p>
      A note for you: <div className="note">closed on Mondays</div>
    </p>
  )
}

function Greeting() {
  return <p>{typeof window === 'undefined' ? 'Welcome, guest' : 'Welcome back, Rosa'}</p>
}

const PARTS: Readonly<Record<string, () => JSX.Element>> = {
  'time-zone': OpenUntil,
  random: Draw,
  nesting: Note,
  text: Greeting,
}
