/** The raw facts of an event, each folded into one line. What is opened stays open on the next event and issue. */
import type { ReactNode } from 'react'
import { Icon } from '#ui/icons.tsx'
import { Section } from '#ui/section.tsx'
import { useHydrated } from '#ui/time.tsx'
import { visibleText } from '#ui/visible-text.ts'
import type { FactLine } from './fact-lines.ts'
import { type OpenFacts, useOpenFacts } from './use-open-facts.ts'

export interface FoldedFact extends FactLine {
  readonly name: string
  readonly content: ReactNode
}

export function EventFacts({ facts }: { readonly facts: readonly FoldedFact[] }) {
  const open = useOpenFacts()
  const names = facts.map(({ name }) => name)
  const isAllOpen = names.every((name) => open.names.has(name))
  return (
    <Section
      title="This event"
      note="sections you open stay open"
      end={
        useHydrated() ? (
          <button
            type="button"
            className="link text-12 max-phone:min-h-11"
            onClick={() => open.set(names, !isAllOpen)}
          >
            {isAllOpen ? 'Close all' : 'Open all'}
          </button>
        ) : null
      }
    >
      <div className="border-t">
        {facts.map((fact) => (
          <Fold key={fact.name} fact={fact} open={open} />
        ))}
      </div>
    </Section>
  )
}

function Fold({ fact, open }: { readonly fact: FoldedFact; readonly open: OpenFacts }) {
  const { name, text, count, content } = fact
  const isOpen = open.names.has(name)
  return (
    <details
      open={isOpen}
      className="group/fact border-b"
      onToggle={({ currentTarget }) => {
        // Opening by "Open all" is told here, too.
        if (currentTarget.open !== isOpen) open.set([name], currentTarget.open)
      }}
    >
      <summary className="flex min-h-9 items-center gap-3 px-1 text-13 hover:bg-hover focus-visible:-outline-offset-2 max-phone:min-h-11 max-phone:gap-2">
        <Icon name="chevron-right" size={12} className="shrink-0 text-ink-3 group-open/fact:rotate-90" />
        <h3 className="w-28 shrink-0 font-strong max-phone:w-22">{name}</h3>
        <span className="foreign min-w-0 flex-1 truncate text-ink-2" title={visibleText(text)}>
          {visibleText(text)}
        </span>
        <span className="num shrink-0 text-12 text-ink-3 max-phone:hidden">{count}</span>
      </summary>
      <div className="pt-1 pb-4 ps-7 max-phone:ps-1">{content}</div>
    </details>
  )
}
