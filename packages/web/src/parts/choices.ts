/** Things of which there may be a thousand, chosen by typing: the server offers a few that match. */
import { type KeyboardEvent, useEffect, useState } from 'react'
import { withBasePath } from '#wire/base-path.ts'
import { paths } from './paths.ts'

/** A project, team or person, as people know it. */
export interface Choice {
  readonly id: number
  /** Slug; for a person the email. */
  readonly slug: string
  readonly name: string
  /** Name of a project's person in a comment. */
  readonly mention?: string
}

/** At most `choicesMax` of each. */
export interface Found {
  readonly projects: readonly Choice[]
  readonly teams: readonly Choice[]
  readonly people: readonly Choice[]
  /** Ids that the one named by `heldBy` already has. */
  readonly held?: readonly number[]
}

export interface Choices extends Found {
  /** Text typed before the page came, if no script asked. */
  readonly find: string
  /** There are more than are offered: they are found by typing. */
  readonly isPart: boolean
}

export type ChoicesOf = 'projects' | 'teams' | 'members' | 'people' | 'assignees' | 'receivers'

interface FoundOf {
  readonly org: string
  readonly of: ChoicesOf
  /** Slug of the project whose people they are. */
  readonly project?: string | undefined
  /** `team:7`, `member:3` or `rule:5`: what has some of them already. */
  readonly heldBy?: string | undefined
}

const TYPING_MS = 120

/** Returns the server's offers for what is typed, and the field. */
export function useFound({ org, of, ...within }: FoundOf, initial: Choices) {
  const [text, setText] = useState(initial.find)
  const [answered, setAnswered] = useState<{ readonly text: string; readonly found: Found }>()
  const path = text === initial.find ? null : paths.choices(org, { of, ...within, q: text })
  // An effect, because the answer comes from the server while somebody types; the last question wins.
  useEffect(() => {
    if (path === null) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const response = await fetch(withBasePath(path), { signal: stop.signal })
        if (response.ok) setAnswered({ text, found: await response.json() })
      } catch {
        // Given up by the next key, or offline: what was offered before stays.
      }
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [path, text])
  const found: Found = answered === undefined || path === null ? initial : answered.found
  return { found, text, setText, isAsking: path !== null && answered?.text !== text }
}

/** The form of the frame that asks by another document, where no script does. */
export const FIND_FORM = 'find'

/** Returns the key handler of the field: Enter takes the first offer, and sends no form around it. */
export function takesFirst(take: () => void) {
  return (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    take()
  }
}
