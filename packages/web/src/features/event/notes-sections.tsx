/** Notes by Errata: why the event is in this issue, what was repaired, what was scrubbed. */
import type { EventView } from '@errata/server/queries'
import type { StoredEvent } from '#parts/issue-types.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import { problemWords, rulesCounted } from './rules.ts'

const NAMES: Readonly<Record<EventView['grouping'][number]['name'], string>> = {
  fingerprint: 'fingerprint',
  mirror: 'browser copy',
  hydration: 'hydration',
  skew: 'deploy skew',
  unloaded: 'missing file',
  exception: 'exception',
  frame: 'frame',
  message: 'message',
  thread: 'thread',
  fallback: 'nothing else',
}

/** Which parts decided, in the order they were looked at; the ignored ones say why. */
export function GroupingNotes({ grouping }: { readonly grouping: EventView['grouping'] }) {
  const used = grouping.filter(({ contributes }) => contributes)
  return (
    <>
      {used.length === 0 ? null : (
        <p className="mb-2 text-12 text-ink-3">
          Events with the same {used.length === 1 ? 'part' : quantityText(used.length, 'part')} are one issue.
        </p>
      )}
      <ol className="border-t text-12 leading-5">
        {grouping.map(({ name, value, note, contributes }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the explanation
            key={index}
            className={`flex flex-wrap gap-x-3 border-b px-1 py-1.5 ${contributes ? '' : 'text-ink-3'}`}
          >
            <span className="flex h-5 shrink-0 items-center">
              <Icon
                name={contributes ? 'check' : 'close'}
                size={12}
                label={contributes ? 'decides' : 'ignored'}
              />
            </span>
            <span className="w-20 shrink-0 text-ink-3">{NAMES[name]}</span>
            <code className="foreign min-w-0 flex-1">{visibleText(value)}</code>
            <span className="foreign max-w-72 text-end text-ink-3 max-phone:basis-full max-phone:ps-6 max-phone:text-start">
              {note}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Lists what the SDK sent slightly wrong. */
export function ProblemNotes({ problems }: { readonly problems: EventView['problems'] }) {
  return (
    <ul className="border-t text-12 leading-5">
      {problems.map((problem, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a problem is its place in the list
          key={index}
          className="flex flex-wrap gap-x-3 border-b px-1 py-1.5"
        >
          <code className="foreign">{problem.path === '' ? 'the event' : problem.path}</code>
          <span className="text-ink-2">{problemWords(problem)}</span>
          {problem.found === undefined ? null : (
            <code className="foreign ms-auto text-ink-3">{visibleText(problem.found)}</code>
          )}
        </li>
      ))}
    </ul>
  )
}

const PATHS_SHOWN = 12

/** Lists by rule what was removed before anything was stored. */
export function ScrubbedNotes({ event }: { readonly event: StoredEvent }) {
  const rules = rulesCounted(event.scrubbedPaths)
  return (
    <>
      <p className="mb-2 text-12 text-ink-3">Removed before storing and replaced by [Filtered].</p>
      <ul className="border-t text-12 leading-5">
        {rules.map(({ rule, paths }) => (
          <li key={rule} className="flex gap-3 border-b px-1 py-1.5">
            <span className="w-28 shrink-0">{rule}</span>
            <span className="num w-8 shrink-0 text-end text-ink-3">{numberText(paths.length)}</span>
            <code className="foreign min-w-0 flex-1 text-ink-3">
              {paths.slice(0, PATHS_SHOWN).join(', ')}
              {paths.length > PATHS_SHOWN ? ` and ${numberText(paths.length - PATHS_SHOWN)} more` : ''}
            </code>
          </li>
        ))}
      </ul>
    </>
  )
}
