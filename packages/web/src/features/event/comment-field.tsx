/** The field of a comment. Typing `@` offers people, `#` teams. */
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useFound } from '#parts/choices.ts'
import { Avatar } from '#ui/avatar.tsx'
import { TextArea } from '#ui/field.tsx'
import type { IssueShared } from './issue.server.ts'
import { type Mention, mentionAt, mentionsFor } from './mention-typing.ts'

export function CommentField(props: {
  readonly data: IssueShared
  readonly label: string
  readonly defaultValue: string
  readonly disabled: boolean
  readonly errors: readonly string[] | undefined
  readonly hint?: string
  readonly autoFocus?: boolean
}) {
  const listId = useId()
  const field = useRef<HTMLTextAreaElement | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [chosen, setChosen] = useState(0)
  const { data, ...rest } = props
  const { found, setText } = useFound(
    { org: data.org, of: 'assignees', project: data.view.project.slug },
    data.assignees,
  )
  const people = found.people.map(({ name, slug, mention = slug }) => ({ name, email: slug, mention }))
  const offers = typed === null ? [] : mentionsFor(typed, { people, teams: found.teams })
  const look = (element: HTMLTextAreaElement) => {
    field.current = element
    const next = mentionAt(element.value, element.selectionStart)
    setTyped(next)
    setText(next === null ? data.assignees.find : next.slice(1))
    setChosen(0)
  }
  const take = ({ text }: Mention) => {
    const element = field.current
    if (element === null || typed === null) return
    const end = element.selectionStart
    element.setRangeText(`${text} `, end - typed.length, end, 'end')
    element.focus()
    setTyped(null)
  }
  const keyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const offer = offers[chosen]
    if (offer === undefined) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setChosen((chosen + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length)
    } else if (event.key === 'Enter' || event.key === 'Tab') take(offer)
    else if (event.key === 'Escape') setTyped(null)
    else return
    event.preventDefault()
  }
  return (
    <div className="relative">
      <TextArea
        {...rest}
        name="text"
        rows={3}
        maxLength={8_192}
        onInput={(event) => look(event.currentTarget)}
        onClick={(event) => look(event.currentTarget)}
        onBlur={() => setTyped(null)}
        onKeyDown={keyDown}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? listId : undefined}
        aria-activedescendant={offers.length > 0 ? `${listId}-${chosen}` : undefined}
      />
      {offers.length === 0 ? null : (
        <div
          id={listId}
          role="listbox"
          aria-label="People and teams"
          className="absolute start-0 top-full z-10 mt-1 min-w-56 rounded-float bg-raised p-1 shadow-float"
        >
          {offers.map((offer, index) => (
            <Offer
              key={offer.text}
              id={`${listId}-${index}`}
              offer={offer}
              isChosen={index === chosen}
              onTake={() => take(offer)}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function Offer(props: {
  readonly id: string
  readonly offer: Mention
  readonly isChosen: boolean
  readonly onTake: () => void
}) {
  const { offer, isChosen } = props
  return (
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      // The field keeps the focus.
      onMouseDown={(event) => {
        event.preventDefault()
        props.onTake()
      }}
      className={`flex cursor-pointer items-center gap-2 rounded-mark px-2 py-1.5 text-13 max-phone:min-h-11 ${isChosen ? 'bg-sunken' : ''}`}
    >
      <Avatar name={offer.text.startsWith('#') ? '#' : offer.name} />
      <span className="foreign min-w-0 truncate">{offer.name}</span>
      <span className="ms-auto text-ink-3">{offer.text}</span>
    </div>
  )
}
