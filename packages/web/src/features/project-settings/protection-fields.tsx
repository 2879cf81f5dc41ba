import { FormText } from '#parts/form-parts.tsx'
import { FormTick } from '#parts/form-tick.tsx'
import { numberText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { dateText, hourText, type Zone } from '#ui/time-text.ts'
import type { loadGeneral } from './project-settings.server.ts'

type View = Awaited<ReturnType<typeof loadGeneral>>

/** How long events are shown, and what keeps one failure from drowning the rest. */
export function ProtectionFields({ view }: { readonly view: View }) {
  const { project, spikes, limits } = view
  const zone = useZone()
  return (
    <>
      <FormText
        name="retentionDays"
        label="Events are kept for, in days"
        inputMode="numeric"
        initial={project.retentionDays}
        hint={`Whole days, 1 to ${limits.daysMax}. Older events are hidden at once and leave the disk later; issues and their counts stay. A longer period holds for the events that are still there.`}
        required
      />
      <FormText
        name="payloadsPerIssueHour"
        label="Payloads of one issue, an hour"
        inputMode="numeric"
        initial={project.payloadsPerIssueHour}
        hint={`Beyond it one event in 10 keeps its payload, later one in 100. Every event stays listed and counted. 1 to ${numberText(limits.payloadsMax)}; empty keeps every payload.`}
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
  const rule = `Sudden growth of errors is capped for the rest of the hour at ${spikes.growth} times what is usual, never below ${numberText(spikes.least)} an hour. Beyond ${numberText(spikes.newIssues)} new issues an hour, further ones are gathered in one.`
  const { state, startsMs } = spikes
  if (state === null || !state.isActive) {
    const begins =
      startsMs === null
        ? `It begins ${spikes.days} days after the first event.`
        : `It begins on ${dateText(startsMs, zone)}, when ${spikes.days} days are known.`
    return `${rule} ${begins}`
  }
  const usual = `Usual are up to ${numberText(state.typicalPerHour)} errors an hour (of the last ${spikes.days} days), so the cap is ${numberText(state.capPerHour)}; ${numberText(state.thisHour)} this hour.`
  if (state.capped === null) return `${rule} ${usual}`
  return `${rule} ${usual} Capped since ${hourText(state.capped.sinceMs, zone)}: ${numberText(state.capped.notStored)} not stored.`
}
