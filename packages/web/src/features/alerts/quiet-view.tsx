/** When alerts wait for the morning. */
import { FormRefusal, FormText, Submit } from '#parts/form-parts.tsx'
import { Seen } from '#parts/seen.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { AlertTabs } from './alert-tabs.tsx'
import type { loadQuietHours } from './alerts.server.ts'

export function AlertQuietPage() {
  const { org, counts, hours, seen, mayWrite } = usePageData<typeof loadQuietHours>()
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
              <FormText name="from" label="From" type="time" initial={hours.from} required />
              <FormText name="until" label="Until" type="time" initial={hours.until} required />
            </div>
            <FormText
              name="timeZone"
              label="Time zone"
              initial={hours.timeZone}
              hint="A name such as Europe/Zurich or America/New_York."
              required
            />
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
