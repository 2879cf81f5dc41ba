/**
 * The search: what the parser understood stands as tokens, the rest is typed behind them. A plain GET form, so that
 * it works without JavaScript; with it, Backspace takes the last token away and what is typed is completed.
 */
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react'
import type { SearchToken } from '#parts/issue-types.ts'
import { type ListAddress, listQuery } from '#parts/list-address.ts'
import { paths } from '#parts/paths.ts'
import { tokenText } from '#parts/search-token.ts'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { useNavigate } from '#wire/router.ts'
import { completed, withoutToken } from './list-params.ts'
import { useSuggestions } from './use-suggestions.ts'

const SEARCH_INPUT_ID = 'issue-search'

export function SearchField(props: {
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly problems: readonly string[]
}) {
  const { org, address, problems } = props
  // A search that was not understood stays as it was typed, so that it can be mended.
  const tokens = problems.length > 0 ? [] : props.tokens
  const kept = problems.length > 0 ? address.query : ''
  return (
    // The key starts the field anew when the address changes: what was typed has become tokens.
    <Field key={address.query} org={org} address={address} tokens={tokens} kept={kept} problems={problems} />
  )
}

function Field(props: {
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly kept: string
  readonly problems: readonly string[]
}) {
  const { org, address, tokens, problems } = props
  const navigate = useNavigate()
  const listId = useId()
  const [draft, setDraft] = useState(props.kept)
  const [isOpen, setIsOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const suggestions = useSuggestions(org, isOpen ? draft : '')
  const words = tokens.map(tokenText)
  const go = (query: string) => void navigate(paths.issues(org, listQuery(address, { query: query.trim() })))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsOpen(false)
    go([...words, draft].join(' '))
  }
  const take = (suggestion: string) => {
    setDraft(completed(draft, suggestion))
    setChosen(-1)
    document.getElementById(SEARCH_INPUT_ID)?.focus()
  }
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Backspace' && draft === '' && tokens.length > 0) {
      go(withoutToken(tokens, tokens.length - 1))
    } else if (event.key === 'Escape') {
      if (isOpen && suggestions.length > 0) setIsOpen(false)
      else event.currentTarget.blur()
    } else if (suggestions.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setChosen((chosen + step + suggestions.length) % suggestions.length)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      const suggestion = suggestions[chosen]
      if (suggestion === undefined) return
      event.preventDefault()
      take(suggestion)
    }
  }
  const shown = isOpen && suggestions.length > 0
  return (
    <div className="relative min-w-60 flex-1">
      <search>
        <form
          action={paths.issues(org)}
          onSubmit={submit}
          className={`field flex h-auto min-h-8 flex-wrap items-center gap-1 py-0.5 ps-2 pe-1.5 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent max-phone:min-h-11 ${problems.length > 0 ? 'border-bad-fill' : ''}`}
        >
          <Icon name="search" size={14} className="shrink-0 text-ink-3" />
          <KeptFields address={address} />
          {tokens.map((token, index) => (
            <Token
              // biome-ignore lint/suspicious/noArrayIndexKey: a search may hold the same term twice
              key={`${index} ${words[index]}`}
              token={token}
              text={words[index] ?? ''}
              to={paths.issues(org, listQuery(address, { query: withoutToken(tokens, index) }))}
            />
          ))}
          <input
            id={SEARCH_INPUT_ID}
            name="query"
            value={draft}
            onChange={(event) => {
              setDraft(event.target.value)
              setIsOpen(true)
              setChosen(-1)
            }}
            onKeyDown={keyDown}
            onBlur={() => setIsOpen(false)}
            role="combobox"
            aria-label="Search issues"
            aria-expanded={shown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={chosen >= 0 ? `${listId}-${chosen}` : undefined}
            aria-invalid={problems.length > 0 ? true : undefined}
            aria-describedby={problems.length > 0 ? `${listId}-problems` : undefined}
            aria-keyshortcuts="/"
            data-search=""
            autoComplete="off"
            spellCheck={false}
            maxLength={1000}
            placeholder={tokens.length === 0 ? 'message, route, key:value, digest…' : ''}
            className="h-6 min-w-24 flex-1 bg-transparent px-1 text-13 outline-none focus-visible:outline-none"
          />
          <Key>/</Key>
        </form>
      </search>
      <Suggestions id={listId} words={shown ? suggestions : []} chosen={chosen} take={take} />
      {problems.length === 0 ? null : (
        <p id={`${listId}-problems`} role="alert" className="mt-1 flex gap-1 text-12 text-bad">
          <Icon name="exclamation" size={14} />
          <span className="foreign">{problems.join(' ')}</span>
        </p>
      )}
    </div>
  )
}

/** What the form keeps beside what is typed: the tokens' own text goes first. */
function KeptFields({ address }: { readonly address: ListAddress }) {
  const { query: _, cursor: __, project, environment, ...single } = listQuery(address)
  return (
    <>
      {Object.entries(single).map(([name, value]) =>
        value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {project.map((slug) => (
        <input key={`project ${slug}`} type="hidden" name="project" value={slug} />
      ))}
      {environment.map((name) => (
        <input key={`environment ${name}`} type="hidden" name="environment" value={name} />
      ))}
    </>
  )
}

function Token(props: { readonly token: SearchToken; readonly text: string; readonly to: string }) {
  const { token, text } = props
  return (
    <>
      <input type="hidden" name="query" value={text} />
      <PageLink
        to={props.to}
        title={`Remove ${text}`}
        className="inline-flex h-6 max-w-full items-center rounded-mark border border-line-2 bg-sunken px-1.5 text-12 hover:border-control"
      >
        <span className="text-ink-3">
          {token.negated ? '!' : ''}
          {token.key === null ? '' : `${token.key}:`}
        </span>
        <span className="truncate font-name">{token.value}</span>
        <Icon name="close" size={12} label="remove" className="ms-1 shrink-0 text-ink-3" />
      </PageLink>
    </>
  )
}

function Suggestions(props: {
  readonly id: string
  readonly words: readonly string[]
  readonly chosen: number
  readonly take: (word: string) => void
}) {
  return (
    <div
      id={props.id}
      role="listbox"
      aria-label="Suggestions"
      hidden={props.words.length === 0}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-auto rounded-float bg-raised p-1 shadow-float"
    >
      {props.words.map((word, index) => (
        <div
          key={word}
          id={`${props.id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === props.chosen}
          className="menu-item text-13"
          // Before the field loses the focus and the list goes.
          onMouseDown={(event) => {
            event.preventDefault()
            props.take(word)
          }}
        >
          <span className="foreign">{word}</span>
        </div>
      ))}
    </div>
  )
}
