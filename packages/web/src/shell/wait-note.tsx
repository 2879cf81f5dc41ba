/** Says what a page waits for, once it has not come for a second. */
import { useEffect, useState } from 'react'
import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { withBasePath } from '#wire/base-path.ts'
import type { WaitsAnswer } from './waits.server.ts'

export function WaitNote() {
  const org = useFrame().org?.slug
  const [text, setText] = useState('')
  // An effect, because it asks for as long as the page waits.
  useEffect(() => {
    // Outside of an organisation there is nobody to ask.
    if (org === undefined) return
    const timer = setInterval(() => {
      void fetch(withBasePath(paths.waits(org)))
        .then((answer) => answer.json())
        // Where nobody answers, the page says so when it gives up.
        .then(
          ({ text: said }: WaitsAnswer) => setText(said),
          () => {},
        )
    }, 1_000)
    return () => clearInterval(timer)
  }, [org])
  return text && <output className="wait-note">{text}</output>
}
