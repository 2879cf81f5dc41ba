import type { ReactNode } from 'react'
import { DocsButton } from '#parts/docs-link.tsx'
import { useFrame } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { SettingsFrame } from '#parts/settings-frame.tsx'
import { orgSettingsPaths } from './paths.ts'

/** Head and list of an organisation's settings; only pages that the viewer may open. */
export function OrgSettingsPage({
  title,
  within,
  aside,
  children,
}: {
  readonly title: string
  /** The page of settings that this one is below. */
  readonly within?: { readonly text: string; readonly path: string }
  /** At the right where there is room for it, else below. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}) {
  const { org } = useFrame()
  const slug = org?.slug ?? ''
  const may = org?.permissions ?? []
  const places = [
    { name: 'Organisation', path: paths.orgSettings(slug), isOpen: true },
    { name: 'Members', path: paths.members(slug), isOpen: may.includes('member.read') },
    { name: 'Teams', path: paths.teams(slug), isOpen: may.includes('team.read') },
    { name: 'Tokens', path: paths.tokens(slug), isOpen: true },
    { name: 'Agents', path: orgSettingsPaths.agents(slug), isOpen: true },
    { name: 'Issue trackers', path: paths.trackers(slug), isOpen: may.includes('tracker.read') },
    { name: 'Sign-in', path: paths.signInSettings(slug), isOpen: may.includes('provider.write') },
    { name: 'Audit log', path: paths.audit(slug), isOpen: may.includes('audit.read') },
  ]
  return (
    <Page wide>
      <PageHead
        title={title}
        crumbs={[
          { text: org?.name ?? '', path: paths.orgSettings(slug) },
          { text: 'Settings' },
          ...(within === undefined ? [] : [within]),
        ]}
        end={<DocsButton about={title} />}
      />
      <SettingsFrame
        label="Settings of the organisation"
        places={places.filter(({ isOpen }) => isOpen)}
        current={within?.path}
        wide={aside !== undefined}
      >
        {aside === undefined ? (
          children
        ) : (
          <div className="wide:grid wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] wide:gap-x-6">
            <div className="min-w-0">{children}</div>
            {aside}
          </div>
        )}
      </SettingsFrame>
    </Page>
  )
}
