/** Times that read the same on the server and in the browser, then go on by themselves. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { ageText, agoText, exactText, isoText, momentText, untilText, type Zone } from './time-text.ts'

const NowContext = createContext<number | null>(null)
const TICK_MS = 20_000

/**
 * Gives every `<Time>` below it one present. `nowMs` is the server's, from the loader: the first render in the
 * browser repeats it, so that both print the same; afterwards it goes on with the time that has passed.
 */
export function NowProvider({ nowMs, children }: { readonly nowMs: number; readonly children: ReactNode }) {
  const [elapsed, setElapsed] = useState({ nowMs, ms: 0 })
  // An effect, because only a mounted page has time that passes.
  useEffect(() => {
    const startMs = performance.now()
    const timer = setInterval(() => setElapsed({ nowMs, ms: performance.now() - startMs }), TICK_MS)
    return () => clearInterval(timer)
  }, [nowMs])
  const now = elapsed.nowMs === nowMs ? nowMs + elapsed.ms : nowMs
  return <NowContext value={now}>{children}</NowContext>
}

/** The present of the nearest provider, in milliseconds since 1970. */
export function useNow(): number {
  const now = useContext(NowContext)
  if (now === null) throw new Error('useNow: no NowProvider above')
  return now
}

const doNothing = () => () => {}

/** False on the server and in the first render of the browser, true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    doNothing,
    () => true,
    () => false,
  )
}

/** UTC until the browser has taken over, then the reader's own zone. */
export function useZone(): Zone {
  return useHydrated() ? 'local' : 'utc'
}

type Form = keyof typeof SHORT | 'exact' | 'moment'

const SHORT = { ago: agoText, age: ageText, until: untilText }

/**
 * "4 min ago" with the exact time on hover. `form`: `ago` (default), `age` without "ago" for columns, `until` for what is
 * to come ("in 6 d"), `moment` for when that is, or `exact`.
 */
export function Time(props: { readonly ms: number; readonly form?: Form; readonly className?: string }) {
  const now = useNow()
  const zone = useZone()
  const exact = exactText(props.ms, zone)
  const text = timeText(props.ms, props.form ?? 'ago', { now, zone, exact })
  return (
    <time dateTime={isoText(props.ms)} title={exact} className={props.className}>
      {text}
    </time>
  )
}

function timeText(
  ms: number,
  form: Form,
  { now, zone, exact }: { readonly now: number; readonly zone: Zone; readonly exact: string },
): string {
  if (form === 'exact') return exact
  return form === 'moment' ? momentText(ms, now, zone) : SHORT[form](ms, now)
}
