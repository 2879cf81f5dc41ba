'use client'

/** In the server's time zone there, in the visitor's here. */
export function OpenUntil() {
  return <p>Open until {new Date(1_795_000_000_000).toLocaleTimeString('en-GB')}</p>
}

/** Another number there than here. */
export function Draw() {
  return <p>Your number in the raffle: {Math.floor(Math.random() * 1_000_000)}</p>
}

/** No browser leaves a `div` within a `p`. */
export function Note() {
  return (
    <p>
      A note for you: <div className="note">closed on Mondays</div>
    </p>
  )
}

/** The browser knows something that the server does not. */
export function Greeting() {
  return <p>{typeof window === 'undefined' ? 'Welcome, guest' : 'Welcome back, Rosa'}</p>
}
