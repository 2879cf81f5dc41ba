/** When alerts wait for the morning. */
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { Seen } from '#parts/seen.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { AlertTabs } from './alert-tabs.tsx'
import type { loadQuietHours } from './alerts.server.ts'

/** A browser's own field for times shows them in its language; the product has one format. */
const CLOCK = { inputMode: 'numeric', maxLength: 5, placeholder: '22:00', autoComplete: 'off' } as const

export function AlertQuietPage() {
  const { org, counts, hours, zones, seen, mayWrite } = usePageData<typeof loadQuietHours>()
  const toast = useToast()
  return (
    <>
      <title>{`Quiet hours · ${org} · Errata`}</title>
      <h1 className="px-6 pt-4 pb-2 text-20 font-strong max-phone:px-4">Alerts</h1>
      <AlertTabs org={org} counts={counts} />
      <div className="px-6 py-5 max-phone:px-4">
        <p className="mb-4 max-w-160 text-13 text-ink-2">
          Alert rules that respect quiet hours wait, and send one message when they end. Critical always
          notifies.
        </p>
        <ActionForm action="alerts.quiet" onResult={() => toast({ text: 'Saved' })}>
          <fieldset disabled={!mayWrite} className="grid form-width gap-4">
            <legend className="visually-hidden">Quiet hours</legend>
            <FormRefusal />
            <Seen values={seen} />
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
            {mayWrite ? (
              <div>
                <Submit>Save</Submit>
              </div>
            ) : null}
          </fieldset>
        </ActionForm>
      </div>
    </>
  )
}
