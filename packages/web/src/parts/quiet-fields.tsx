/** Fields of quiet hours: those of an organisation, and of a person. */

import { Checkbox } from '#ui/checkbox.tsx'
import { FormText } from './form-parts.tsx'

/** A browser's own field for times shows them in its language; the product has one format. */
const CLOCK = { inputMode: 'numeric', maxLength: 5, placeholder: '22:00', autoComplete: 'off' } as const

export interface ShownQuietHours {
  readonly isOn: boolean
  /** Time of day, such as `22:00`. */
  readonly from: string
  readonly until: string
  readonly timeZone: string
  readonly weekends: boolean
}

export function QuietFields({
  hours,
  zones,
}: {
  readonly hours: ShownQuietHours
  readonly zones: readonly string[]
}) {
  return (
    <>
      <Checkbox name="isOn" label="Quiet hours" showLabel defaultChecked={hours.isOn} />
      <div className="grid grid-cols-2 gap-4">
        <FormText name="from" label="From" initial={hours.from} {...CLOCK} required />
        <FormText name="until" label="Until" initial={hours.until} {...CLOCK} required />
      </div>
      <FormText
        name="timeZone"
        label="Time zone"
        initial={hours.timeZone}
        list="time-zones"
        autoComplete="off"
        hint="Type a city or region to search the list."
        required
      />
      <datalist id="time-zones">
        {['UTC', ...zones].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Checkbox
        name="weekends"
        label="Quiet all day on Saturday and Sunday"
        showLabel
        defaultChecked={hours.weekends}
      />
    </>
  )
}
