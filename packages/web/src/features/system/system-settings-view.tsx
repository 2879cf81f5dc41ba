import { usePageData } from '#wire/page-data.ts'
import { AddressSection } from './address-section.tsx'
import { MailSection } from './mail-section.tsx'
import { ResetLink } from './reset-link.tsx'
import type { loadSystem } from './system.server.ts'
import { SystemFrame } from './system-page.tsx'

/** Page of an operator's settings, each folded to its state. */
export function SystemSettingsView() {
  const { url, isAddressFixed, mail } = usePageData<typeof loadSystem>()
  return (
    <SystemFrame title="Settings">
      <AddressSection url={url} isFixed={isAddressFixed} />
      <MailSection mail={mail} />
      <ResetLink />
    </SystemFrame>
  )
}
