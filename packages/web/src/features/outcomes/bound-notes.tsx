import { Icon } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import type { loadOutcomes } from './outcomes.server.ts'

type OutcomesData = Awaited<ReturnType<typeof loadOutcomes>>

/** Tags with more values than are kept apart: nothing is lost, but the rest is counted as "other". */
export function BoundNotes({ data }: { readonly data: OutcomesData }) {
  const { bounds } = data.view
  if (bounds.length === 0) return null
  return (
    <ul className="grid gap-1 px-6 pt-3 text-13 max-phone:px-4" aria-label="Bounds of tags">
      {bounds.map(({ project, key, otherCount, limit }) => (
        <li key={`${project.id} ${key ?? ''}`} className="flex gap-1.5">
          <Icon name="info" size={14} className="mt-0.5 shrink-0 text-ink-3" />
          <span className="min-w-0">
            <b className="foreign font-strong">{project.name}</b>{' '}
            {key === null ? (
              <>
                has more than <span className="num">{numberText(limit)}</span> tag keys. Further ones are
                counted together: <b className="num font-strong">{numberText(otherCount)}</b> tags.
              </>
            ) : (
              <>
                has more than <span className="num">{numberText(limit)}</span> values of{' '}
                <code className="foreign">{key}</code>. The newest are suggested, the others counted together:{' '}
                <b className="num font-strong">{numberText(otherCount)}</b> events.
              </>
            )}{' '}
            Every event is stored with its own value and found by it.
          </span>
        </li>
      ))}
    </ul>
  )
}
