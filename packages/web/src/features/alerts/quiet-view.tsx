/** When alerts wait for the morning. */
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { QuietFields } from '#parts/quiet-fields.tsx'
import { Seen } from '#parts/seen.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { AlertTabs } from './alert-tabs.tsx'
import type { loadQuietHours } from './alerts.server.ts'

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
            <QuietFields hours={hours} zones={zones} />
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
