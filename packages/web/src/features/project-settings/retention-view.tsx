import { useCan } from '#parts/frame-data.ts'
import { numberText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { dateText, hourText, type Zone } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { OptionsForm } from './options-form.tsx'
import type { loadRetention } from './project-settings.server.ts'
import { ProjectSettingsPage, ReadOnlyNote } from './settings-page.tsx'

type View = Awaited<ReturnType<typeof loadRetention>>

/** How long and how much of each signal is kept: one place for all periods and limits of a project. */
export function RetentionView() {
  const view = usePageData<typeof loadRetention>()
  const { org, project, fields, spikes } = view
  const mayWrite = useCan('project.write')
  const zone = useZone()
  return (
    <ProjectSettingsPage org={org} project={project} title="Retention and limits">
      {mayWrite ? null : <ReadOnlyNote />}
      <OptionsForm
        action="project.retention"
        view={view}
        fields={fields}
        hints={{ spikeProtection: spikeHint(spikes, zone) }}
      />
    </ProjectSettingsPage>
  )
}

function spikeHint(spikes: View['spikes'], zone: Zone): string {
  const rule = `A sudden rise in errors is capped for the rest of the hour at ${spikes.growth} times the usual number, never below ${numberText(spikes.least)} an hour. After ${numberText(spikes.newIssues)} new issues in an hour, the rest are grouped into one.`
  const { state, startsMs } = spikes
  if (state === null || !state.isActive) {
    const begins =
      startsMs === null
        ? `It starts ${spikes.days} days after the first event.`
        : `It starts on ${dateText(startsMs, zone)}, after ${spikes.days} days of events.`
    return `${rule} ${begins}`
  }
  const usual = `Usual in the last ${spikes.days} days: up to ${numberText(state.typicalPerHour)} errors an hour. Current cap: ${numberText(state.capPerHour)}; ${numberText(state.thisHour)} so far this hour.`
  if (state.capped === null) return `${rule} ${usual}`
  return `${rule} ${usual} Capped since ${hourText(state.capped.sinceMs, zone)}: ${numberText(state.capped.notStored)} not stored.`
}
