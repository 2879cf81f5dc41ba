import { FormText } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { numberText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { dateText, hourText, type Zone } from '#ui/time-text.ts'
import type { loadRetention } from './project-settings.server.ts'

type View = Awaited<ReturnType<typeof loadRetention>>

/** How long events are shown, and what keeps one failure from drowning the rest. */
export function ProtectionFields({ view }: { readonly view: View }) {
  const { project, spikes, limits } = view
  const zone = useZone()
  return (
    <>
      <FormText
        name="retentionDays"
        label="Retention of events"
        unit="days"
        inputMode="numeric"
        initial={project.retentionDays}
        hint={`1 to ${limits.daysMax}. Older events are hidden at once and removed from disk later. Issues and their counts stay.`}
        required
      />
      <FormText
        name="payloadsPerIssueHour"
        label="Full events per issue and hour"
        unit="events"
        inputMode="numeric"
        initial={project.payloadsPerIssueHour}
        hint={`Beyond this, 1 event in 10 keeps its details, later 1 in 100. Every event stays listed and counted. 1 to ${numberText(limits.payloadsMax)}; leave empty to keep all.`}
      />
      <FormTick
        name="spikeProtection"
        label="Spike protection"
        initial={project.spikeProtection}
        hint={spikeHint(spikes, zone)}
      />
    </>
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
