import type { ReactNode } from 'react'
import { DocsButton } from '#parts/docs-link.tsx'
import { Page, PageHead } from '#parts/page-head.tsx'
import { PageTabs } from '#parts/page-tabs.tsx'
import { paths } from '#parts/paths.ts'

/** Head and tabs of the account's pages. */
export function AccountPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Page>
      <PageHead title={title} crumbs={[{ text: 'Account' }]} end={<DocsButton about={title} />} />
      <PageTabs
        label="Account"
        tabs={[
          { name: 'Profile', path: paths.account() },
          { name: 'Password', path: paths.accountPassword() },
          { name: 'Security', path: paths.accountSecurity() },
          { name: 'Sessions', path: paths.accountSessions() },
          { name: 'Connected apps', path: paths.accountApps() },
          { name: 'Appearance', path: paths.accountTheme() },
          { name: 'Alerts', path: paths.accountAlerts() },
        ]}
      />
      <div className="touching">{children}</div>
    </Page>
  )
}
