/** Underlines what is wrong with a search where it stands. */
import { useEffect, useRef } from 'react'
import type { SearchProblem } from './issue-types.ts'

/** The typed text again, over or behind the input, unseen but for a wavy line below what is wrong. */
export function WrongParts(props: {
  readonly text: string
  readonly problems: readonly SearchProblem[]
  readonly inputId: string
  /** Classes that place it where the input has its text. */
  readonly className?: string
}) {
  const { text, problems, inputId, className = 'px-1 leading-6' } = props
  const words = useRef<HTMLSpanElement>(null)
  // An effect, because an input that is too narrow for its text scrolls on its own. By script: the policy allows no style
  // attribute in what the server renders.
  useEffect(() => {
    const input = document.getElementById(inputId)
    if (input === null) return
    const follow = () => words.current?.style.setProperty('inset-inline-start', `${-input.scrollLeft}px`)
    follow()
    input.addEventListener('scroll', follow)
    return () => input.removeEventListener('scroll', follow)
  }, [inputId])
  return (
    <span
      aria-hidden="true"
      className={`pointer-events-none absolute inset-0 overflow-hidden text-13 whitespace-pre text-transparent ${className}`}
    >
      <span ref={words} className="relative">
        {splitAtProblems(text, problems).map(({ start, part, isWrong }) =>
          isWrong ? (
            <u key={start} className="decoration-bad decoration-wavy decoration-from-font">
              {part}
            </u>
          ) : (
            part
          ),
        )}
      </span>
    </span>
  )
}

interface Part {
  readonly start: number
  readonly part: string
  readonly isWrong: boolean
}

/** The text in parts, none of which overlaps another. */
function splitAtProblems(text: string, problems: readonly SearchProblem[]): readonly Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { start, end } of problems.toSorted((one, other) => one.start - other.start)) {
    const from = Math.max(at, start)
    if (end <= from) continue
    parts.push({ start: at, part: text.slice(at, from), isWrong: false })
    parts.push({ start: from, part: text.slice(from, end), isWrong: true })
    at = end
  }
  return [...parts, { start: at, part: text.slice(at), isWrong: false }]
}
