/** Says what a page waits for, once it has not come for a second. */
import { useEffect, useState } from 'react'
import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { inBase } from '#wire/base-path.ts'
import type { WaitsAnswer } from './waits.server.ts'

const EVERY_MS = 1_000

export function WaitNote() {
  const { org } = useFrame()
  const [text, setText] = useState('')
  // An effect, because it asks for as long as the page waits.
  useEffect(() => {
    const ask = async () => {
      const answer = await fetch(inBase(paths.waits(org?.slug ?? '')))
      const waits: WaitsAnswer = await answer.json()
      setText(waits.text)
    }
    // Where nobody answers, the page says so when it gives up.
    const timer = setInterval(() => void ask().catch(() => {}), EVERY_MS)
    return () => clearInterval(timer)
  }, [org])
  return (
    text && (
      <p className="wait-note" role="status">
        {text}
      </p>
    )
  )
}
