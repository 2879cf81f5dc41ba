import { paths } from '#parts/paths.ts'
import { Icon } from '#ui/icons.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { hourText } from '#ui/time-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadOutcomes } from './outcomes.server.ts'

type OutcomesData = Awaited<ReturnType<typeof loadOutcomes>>

/** Projects that are capped at this moment: since when, and what that kept out. */
export function SpikeNotes({ data }: { readonly data: OutcomesData }) {
  const zone = useZone()
  const { spikes } = data.view
  if (spikes.length === 0) return null
  return (
    <ul className="grid gap-1 px-6 pt-3 text-13 max-phone:px-4" aria-label="Spike protection">
      {spikes.map(({ project, state }) => (
        <li key={project.id} className="flex gap-1.5">
          <Icon name="exclamation" size={14} className="mt-0.5 shrink-0 text-warn" />
          <span className="min-w-0">
            <b className="foreign font-strong">{project.name}</b> capped since{' '}
            <span className="num">{hourText(state.capped?.sinceMs ?? 0, zone)}</span>:{' '}
            <b className="num font-strong">{numberText(state.capped?.notStored ?? 0)}</b> not stored. Usual:
            up to <span className="num">{numberText(state.typicalPerHour)}</span> errors an hour. Cap until
            the next hour: <span className="num">{numberText(state.capPerHour)}</span>.{' '}
            <PageLink className="link underline" to={paths.projectSettings(data.org, project.slug)}>
              Settings
            </PageLink>
          </span>
        </li>
      ))}
      {data.moreSpikes === 0 ? null : (
        <li className="text-12 text-ink-3">{quantityText(data.moreSpikes, 'more project')} capped</li>
      )}
    </ul>
  )
}
