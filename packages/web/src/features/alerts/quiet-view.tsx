/** When alerts wait for the morning. */

import { QuietFields } from '#parts/quiet-fields.tsx'
import { SettingsForm } from '#parts/settings-form.tsx'
import { usePageData } from '#wire/page-data.ts'
import { AlertHead, AlertTabs } from './alert-tabs.tsx'
import type { loadQuietHours } from './alerts.server.ts'

export function AlertQuietPage() {
  const { org, counts, hours, zones, seen, mayWrite } = usePageData<typeof loadQuietHours>()
  return (
    <>
      <title>{`Quiet hours · ${org} · Errata`}</title>
      <AlertHead />
      <AlertTabs org={org} counts={counts} />
      <div className="px-6 py-5 max-phone:px-4">
        <p className="mb-4 max-w-160 text-13 text-ink-2">
          Alert rules that respect quiet hours wait, and send one message when they end. Critical always
          notifies.
        </p>
        <SettingsForm action="alerts.quiet" seen={seen} mayWrite={mayWrite} legend="Quiet hours">
          <QuietFields hours={hours} zones={zones} />
        </SettingsForm>
      </div>
    </>
  )
}
