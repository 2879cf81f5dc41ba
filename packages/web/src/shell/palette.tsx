/** Go anywhere: pages, projects, issues, everything with a name, and whatever a pasted text names; and do what the page offers. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { recentPages } from '#parts/recent-pages.ts'
import { useShortcutList } from '#parts/shortcuts.tsx'
import { useIssueChange } from '#parts/use-issue-change.ts'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { withBasePath } from '#wire/base-path.ts'
import { useLocation, useNavigate } from '#wire/router.ts'
import { useAction } from '#wire/use-action.ts'
import type { PaletteAnswer } from './palette.server.ts'
import { type Entry, groupsFor } from './palette-entries.ts'

const NOTHING: PaletteAnswer = { targets: [], groups: [], creations: [], pages: [], assignees: [], docs: [] }
const TYPING_MS = 150
/** Most characters of a request's address; a longer paste is a text for the digest page. */
const QUERY_CHARS_MAX = 1_500

export function Palette({
  typed,
  onClose,
}: {
  /** Takes over what was typed before it opened. */
  readonly typed: { readonly current: () => string }
  readonly onClose: () => void
}) {
  const frame = useFrame()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { issue, ...opened } = useOpen(text)
  const { answer, query } = usePalette(frame.org?.slug ?? '', { text, issue })
  const groups = groupsFor({
    ...{ frame, text, answer, isCurrent: query === text.slice(0, QUERY_CHARS_MAX) },
    ...opened,
  })
  const entries = groups.flatMap((group) => group.entries)
  const listId = useId()
  const at = Math.min(chosen, entries.length - 1)
  // An effect, because a dialog opens by a call.
  useEffect(() => {
    dialog.current?.showModal()
    const early = typed.current()
    // At once: the next key comes before React has drawn what was typed so far, and would replace it.
    if (field.current !== null) field.current.value = early
    setText(early)
  }, [typed])

  function open(entry: Entry | undefined) {
    if (entry === undefined) return
    dialog.current?.close()
    // What a page offers minds that nothing is open over it.
    if (entry.run !== undefined) setTimeout(entry.run)
    // The handbook is no page of the app.
    else if (entry.note === 'docs') window.open(withBasePath(entry.path), '_blank', 'noopener')
    else void navigate(entry.path)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const next = (at + step + entries.length) % Math.max(1, entries.length)
      setChosen(next)
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      open(entries[at])
    }
  }
  return (
    <dialog ref={dialog} className="palette" aria-label="Go to" onClose={onClose}>
      <div className="palette-field">
        <Icon name="search" size={14} />
        <input
          ref={field}
          className="palette-input"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={entries[at] === undefined ? undefined : `${listId}-${at}`}
          aria-label="Go to a page or issue, or paste a digest"
          placeholder="Go to a page or issue, or paste a digest"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Results" className="palette-list">
        {groups.map((group, place) => {
          const before = groups.slice(0, place).reduce((sum, one) => sum + one.entries.length, 0)
          return (
            // biome-ignore lint/a11y/useSemanticElements: a list of options has groups, not fieldsets
            <div key={group.name} role="group" aria-label={group.name}>
              <div className="palette-group" aria-hidden="true">
                {group.name}
              </div>
              {group.entries.map((entry, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, as a combobox has them
                <div
                  key={`${entry.text} ${entry.path}`}
                  id={`${listId}-${before + index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={before + index === at}
                  className="palette-entry"
                  onClick={() => open(entry)}
                  onPointerMove={() => setChosen(before + index)}
                >
                  <Icon name={entry.icon} size={14} />
                  <span className="foreign min-w-0 flex-1 truncate">{entry.text}</span>
                  <span className={before + index === at ? 'text-12 text-ink-2' : 'text-12 text-ink-3'}>
                    {entry.note}
                  </span>
                  {before + index === at ? <Key>Enter</Key> : null}
                </div>
              ))}
            </div>
          )
        })}
        {entries.length === 0 ? <p className="px-3 py-2 text-13 text-ink-3">No results</p> : null}
      </div>
    </dialog>
  )
}

/** Returns actions on the page, on the open issue, and from anywhere. */
function useOpen(text: string) {
  const frame = useFrame()
  const { pathname } = useLocation()
  const change = useIssueChange()
  const signOut = useAction('auth.sign-out')
  const shortcuts = useShortcutList()
  // Read once: the page's own do not change below an open dialog.
  const [offered] = useState(() => shortcuts())
  const [recent] = useState(() =>
    recentPages(frame.viewer?.email ?? '').filter(({ path }) => path !== pathname),
  )
  const issue = /^\/[^/]+\/issues\/(?!timeline$)([^/]+)/.exec(pathname)?.[1]
  const mayChange = frame.org?.permissions.includes('issue.write') === true
  return {
    issue,
    recent,
    shortcuts: [
      ...offered.flatMap((one) => {
        if (one.isEverywhere !== true) return [one]
        return text !== '' && one.keys === '?' ? [{ ...one, also: 'keyboard help' }] : []
      }),
      // Asked for by name: where a page offers nothing, Enter would else sign out.
      ...(text === '' || frame.viewer === null
        ? []
        : [{ keys: '', label: 'Sign out', also: 'log out logout', run: () => void signOut.run({}) }]),
    ],
    assign:
      issue === undefined || !mayChange
        ? null
        : (to: string) => void change.run([decodeURIComponent(issue)], `assign:${to}`),
  }
}

interface Answered {
  readonly answer: PaletteAnswer
  /** Query that was answered, which may be typed over by now. */
  readonly query: string
}

/** Asks the server for what only it knows; the last answer stays until the next one is there. */
function usePalette(
  org: string,
  { text, issue }: { readonly text: string; readonly issue: string | undefined },
): Answered {
  const [answered, setAnswered] = useState<Answered>({ answer: NOTHING, query: '' })
  const query = text.slice(0, QUERY_CHARS_MAX)
  // An effect, because it asks the server after typing has paused.
  useEffect(() => {
    const control = new AbortController()
    const timer = setTimeout(
      async () => {
        try {
          const response = await fetch(withBasePath(paths.palette({ org, q: query, issue })), {
            signal: control.signal,
          })
          const answer: PaletteAnswer = response.ok ? await response.json() : NOTHING
          setAnswered({ answer, query })
        } catch {
          // Given up by the next key, or offline: the screens are offered without it.
        }
      },
      query === '' ? 0 : TYPING_MS,
    )
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [org, query, issue])
  return answered
}
