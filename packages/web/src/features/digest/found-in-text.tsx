/** The pasted text again, behind the field and unseen, but for what was recognised in it. */
import { useEffect, useRef } from 'react'

export function FoundInText(props: {
  readonly text: string
  readonly digests: readonly string[]
  readonly inputId: string
}) {
  const { text, digests, inputId } = props
  const box = useRef<HTMLDivElement>(null)
  // An effect, because a field that is too low for its text scrolls on its own.
  useEffect(() => {
    const input = document.getElementById(inputId)
    if (input === null) return
    const follow = () => {
      if (box.current !== null) box.current.scrollTop = input.scrollTop
    }
    follow()
    input.addEventListener('scroll', follow)
    return () => input.removeEventListener('scroll', follow)
  }, [inputId])
  return (
    <div
      ref={box}
      aria-hidden="true"
      className="field pointer-events-none absolute inset-0 h-auto overflow-hidden border-transparent bg-transparent px-2.5 py-1.5 font-mono text-13 leading-6 wrap-anywhere whitespace-pre-wrap text-transparent"
    >
      {pieces(text, digests).map(({ at, piece, isDigest }) =>
        isDigest ? (
          <mark key={at} className="border-b border-accent bg-accent-soft text-transparent">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </div>
  )
}

function pieces(text: string, digests: readonly string[]) {
  if (digests.length === 0) return []
  // Digests are numbers: nothing in them means something to a pattern.
  const parts = text.split(new RegExp(`(?<!\\d)(${digests.join('|')})(?!\\d)`))
  let at = 0
  return parts.map((piece, index) => {
    const start = at
    at += piece.length
    return { at: start, piece, isDigest: index % 2 === 1 }
  })
}
