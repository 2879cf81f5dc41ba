/** Jump anywhere: screens, projects, issues by title, and whatever a pasted text names. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useFrame } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Icon, type IconName } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { inBase } from '#wire/base-path.ts'
import { useNavigate } from '#wire/router.ts'
import type { PaletteAnswer } from './palette.server.ts'
import { placesOf } from './places.ts'

interface Entry {
  readonly key: string
  readonly icon: IconName
  readonly text: string
  readonly note: string
  readonly path: string
}

const NOTHING: PaletteAnswer = { projects: [], issues: [], targets: [], docs: [] }
const DOCS = 'docs'
const TYPING_MS = 150
/** So that issues are seen without scrolling, however many projects there are. */
const PLACES_MAX = 7
/** What may be in the address of a request; a longer paste is a text for the digest page. */
const QUERY_CHARS_MAX = 1_500

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const frame = useFrame()
  const navigate = useNavigate()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const answered = usePalette(frame.org?.slug ?? '', text)
  const entries = entriesFor(text, placeEntries(frame), answered, frame.org?.slug ?? null)
  const listId = useId()
  const at = Math.min(chosen, entries.length - 1)
  // An effect, because a dialog opens by a call.
  useEffect(() => dialog.current?.showModal(), [])

  function open(entry: Entry | undefined) {
    if (entry === undefined) return
    dialog.current?.close()
    // The handbook is no page of the app.
    if (entry.note === DOCS) window.open(inBase(entry.path), '_blank', 'noopener')
    else void navigate(entry.path)
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setChosen((at + step + entries.length) % Math.max(1, entries.length))
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
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, as a combobox has them
          <div
            key={entry.key}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="palette-entry"
            onClick={() => open(entry)}
            onPointerMove={() => setChosen(index)}
          >
            <Icon name={entry.icon} size={14} />
            <span className="foreign min-w-0 flex-1 truncate">{entry.text}</span>
            <span className={index === at ? 'text-12 text-ink-2' : 'text-12 text-ink-3'}>{entry.note}</span>
            {index === at ? <Key>Enter</Key> : null}
          </div>
        ))}
        {entries.length === 0 ? <p className="px-3 py-2 text-13 text-ink-3">No results</p> : null}
      </div>
    </dialog>
  )
}

interface Answered {
  readonly answer: PaletteAnswer
  /** What it answers, which may be typed over by now. */
  readonly query: string
}

/** Asks the server for what only it knows; the last answer stays until the next one is there. */
function usePalette(org: string, text: string): Answered {
  const [answered, setAnswered] = useState<Answered>({ answer: NOTHING, query: '' })
  const query = text.slice(0, QUERY_CHARS_MAX)
  // An effect, because it asks the server after typing has paused.
  useEffect(() => {
    const control = new AbortController()
    const timer = setTimeout(
      async () => {
        try {
          const response = await fetch(inBase(paths.palette({ org, q: query })), { signal: control.signal })
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
  }, [org, query])
  return answered
}

function placeEntries(frame: ReturnType<typeof useFrame>): readonly Entry[] {
  return placesOf(frame).map(({ name, path, key }) => ({
    key: path,
    icon: 'arrow' as const,
    text: name,
    note: key === null ? '' : `g ${key}`,
    path,
  }))
}

function entriesFor(
  text: string,
  places: readonly Entry[],
  { answer, query }: Answered,
  org: string | null,
): readonly Entry[] {
  const words = text.trim().toLowerCase()
  const fits = ({ text: named }: Entry) =>
    words.split(/\s+/).every((word) => named.toLowerCase().includes(word))
  const projects = answer.projects.flatMap(({ slug, name }) => projectEntries(org ?? '', slug, name))
  const issues = answer.issues.map(({ shortId, title }): Entry => {
    return {
      key: `issue:${shortId}`,
      icon: 'exclamation',
      text: title,
      note: shortId,
      path: paths.issue(org ?? '', shortId),
    }
  })
  const search: readonly Entry[] =
    words === '' || org === null
      ? []
      : [
          {
            key: 'search',
            icon: 'search',
            text: `Search issues for “${text.trim()}”`,
            note: '',
            path: paths.issues(org, { query: text.trim() }),
          },
        ]
  const docs = answer.docs.map(({ heading, page, path }): Entry => {
    const text = heading === page ? page : `${page}: ${heading}`
    return { key: path, icon: 'document', text, note: DOCS, path }
  })
  const screens = [...places, ...projects].filter(fits).slice(0, PLACES_MAX)
  const targets = answer.targets.flatMap(targetEntries)
  const isNamed = new Set(targets.map(({ path }) => path))
  // The server found them by title or place; an older answer is narrowed until the next one comes.
  const found = query === text.slice(0, QUERY_CHARS_MAX) ? issues : issues.filter(fits)
  return [...targets, ...screens, ...found.filter(({ path }) => !isNamed.has(path)), ...search, ...docs]
}

/** The screens of a project. */
function projectEntries(org: string, slug: string, name: string): readonly Entry[] {
  const entry = (text: string, path: string): Entry => ({
    key: `project:${path}`,
    icon: 'database',
    text,
    note: 'project',
    path,
  })
  return [
    entry(name, paths.issues(org, { project: slug })),
    entry(`${name}: settings`, paths.projectSettings(org, slug)),
    entry(`${name}: client keys (DSN)`, paths.projectKeys(org, slug)),
    entry(`${name}: relay for browsers`, paths.projectRelay(org, slug)),
    entry(`${name}: data scrubbing and allowed domains`, paths.projectScrubbing(org, slug)),
    entry(`${name}: inbound filters`, paths.projectFilters(org, slug)),
    entry(`${name}: retention and limits`, paths.projectRetention(org, slug)),
    entry(`${name}: snippets and first event`, paths.firstEvent(org, slug)),
  ]
}

function targetEntries(target: PaletteAnswer['targets'][number]): readonly Entry[] {
  switch (target.kind) {
    case 'digest': {
      const page = paths.digest(target.digest)
      const found = target.issue
      const own: Entry = {
        key: page,
        icon: 'document',
        text: `Digest page for ${target.digest}`,
        note: found === null ? 'not seen' : '',
        path: page,
      }
      if (found === null || target.organisation === null) return [own]
      const path = paths.issue(target.organisation, found.shortId)
      return [
        {
          key: `digest-issue:${target.digest}`,
          icon: 'exclamation',
          text: found.title,
          note: 'digest',
          path,
        },
        own,
      ]
    }
    case 'event': {
      const path = paths.issueEvent(target.organisation, target.shortId, target.eventId)
      return [{ key: path, icon: 'exclamation', text: `Event ${target.eventId}`, note: target.shortId, path }]
    }
    case 'trace': {
      const path = paths.trace(target.organisation, target.traceId)
      return [{ key: path, icon: 'sort', text: `Trace ${target.traceId}`, note: '', path }]
    }
    case 'issue': {
      const path = paths.issue(target.organisation, target.shortId)
      return [{ key: `target:${path}`, icon: 'exclamation', text: target.title, note: target.shortId, path }]
    }
  }
}
