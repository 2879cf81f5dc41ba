import type { ReactNode } from 'react'
import { DocsButton } from '#parts/docs-link.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { SettingsFrame } from '#parts/settings-frame.tsx'

/** Head and list of the account's pages. */
export function AccountPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Page wide>
      <PageHead title={title} crumbs={[{ text: 'Account' }]} end={<DocsButton about={title} />} />
      <SettingsFrame
        label="Account"
        places={[
          { name: 'Profile', path: paths.account() },
          { name: 'Password', path: paths.accountPassword() },
          { name: 'Security', path: paths.accountSecurity() },
          { name: 'Sessions', path: paths.accountSessions() },
          { name: 'Connected apps', path: paths.accountApps() },
          { name: 'Appearance', path: paths.accountTheme() },
          { name: 'Notifications', path: paths.accountAlerts() },
        ]}
      >
        {children}
      </SettingsFrame>
    </Page>
  )
}
