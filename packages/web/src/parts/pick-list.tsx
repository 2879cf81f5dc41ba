/** Several of many, as boxes of a form: those that are chosen, and those that are found by typing. */
import { type ReactNode, useRef, useState } from 'react'
import { Checkbox } from '#ui/checkbox.tsx'
import { quantityText } from '#ui/number-text.ts'
import { type Choice, type Choices, useFound } from './choices.ts'
import { FindField } from './find-field.tsx'

/** Part of a list that a form holds: a few of a longer one. */
export interface Picked {
  readonly shown: readonly Choice[]
  readonly total: number
}

const NOTHING_PICKED: Picked = { shown: [], total: 0 }

/**
 * Sends `name[]`, and of a list that is longer than what is shown `nameListed[]` too: what is not listed stays as it
 * is. Where everything fits, all of it stands there and nothing is typed.
 */
export function PickList(props: {
  readonly org: string
  readonly of: 'projects' | 'teams' | 'people'
  readonly name: string
  readonly title: string
  /** A heading says it. */
  readonly titleHidden?: true
  readonly choices: Choices
  readonly picked?: Picked
  /** Holder of the picked ones: `team:7`. */
  readonly heldBy?: string
  /** A box with what stands beside it. */
  readonly row?: (choice: Choice, box: ReactNode) => ReactNode
  readonly hint?: ReactNode
  readonly className?: string
}) {
  const { org, of, name, choices, heldBy, picked = NOTHING_PICKED, row = (_, box) => box } = props
  const { found, text, setText, isAsking } = useFound({ org, of: ASKS[of], heldBy }, choices)
  const [kept, setKept] = useState<readonly Choice[]>([])
  const list = useRef<HTMLFieldSetElement>(null)
  const held = new Set(found.held)
  const added = kept.filter((one) => !has(picked.shown, one))
  const isLooking = !choices.isPart || text.trim() !== ''
  const offered = isLooking ? found[of].filter((one) => !has(added, one) && !has(picked.shown, one)) : []
  const isHeld = (one: Choice) => has(picked.shown, one) || held.has(one.id)
  const keep = (one: Choice) => setKept((before) => (has(before, one) ? before : [...before, one]))
  const more = picked.total - picked.shown.length
  return (
    <fieldset ref={list} className={props.className ?? 'grid gap-2'}>
      <legend className={props.titleHidden === true ? 'visually-hidden' : 'mb-1 text-13'}>
        {props.title}
      </legend>
      {choices.isPart ? (
        <>
          <FindField
            label={`Find ${FINDS[of]}`}
            text={text}
            onText={setText}
            onTake={() =>
              list.current?.querySelector<HTMLElement>('[data-offered] input[type=checkbox]')?.click()
            }
            className="field touch w-full max-w-90"
          />
          {isLooking && !isAsking && offered.length === 0 ? (
            <p className="text-12 text-ink-3">Nothing else matches.</p>
          ) : null}
        </>
      ) : null}
      {[...added, ...offered, ...picked.shown].map((one) => (
        <div key={one.id} className="contents" data-offered={has(offered, one) ? '' : undefined}>
          {more > 0 && (isHeld(one) || has(kept, one)) ? (
            <input type="hidden" name={`${name}Listed[]`} value={one.id} />
          ) : null}
          {row(
            one,
            <Checkbox
              name={`${name}[]`}
              value={one.id}
              label={<span className="foreign">{one.name}</span>}
              showLabel
              defaultChecked={isHeld(one)}
              onChange={() => keep(one)}
            />,
          )}
        </div>
      ))}
      {more > 0 ? <p className="text-12 text-ink-3">{`And ${quantityText(more, 'other')}.`}</p> : null}
      {props.hint}
    </fieldset>
  )
}

/** Guests are in no team. */
const ASKS = { projects: 'projects', teams: 'teams', people: 'members' } as const
const FINDS = { projects: 'a project', teams: 'a team', people: 'a person' } as const

function has(list: readonly Choice[], { id }: Choice): boolean {
  return list.some((one) => one.id === id)
}
