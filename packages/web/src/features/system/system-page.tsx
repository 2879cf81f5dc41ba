import type { ReactNode } from 'react'
import { DocsButton } from '#parts/docs-link.tsx'
import { useFrame } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { SettingsFrame } from '#parts/settings-frame.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { systemPaths } from './paths.ts'

/** Head and list of the pages about the installation. */
export function SystemFrame(props: { readonly title: string; readonly children: ReactNode }) {
  const { selfOrg } = useFrame()
  return (
    <Page wide>
      <PageHead
        title={props.title}
        crumbs={[{ text: 'System', path: paths.system() }]}
        end={
          <>
            {selfOrg === null ? null : (
              <PageLink className="btn touch max-phone:order-last" to={paths.issues(selfOrg)}>
                Errata’s own errors
              </PageLink>
            )}
            <DocsButton about="the system page" />
          </>
        }
      />
      <SettingsFrame
        label="System"
        places={[
          { name: 'Status', path: paths.system() },
          { name: 'Settings', path: systemPaths.systemSettings() },
          { name: 'Self-test', path: systemPaths.selfTest() },
        ]}
        wide
      >
        {props.children}
      </SettingsFrame>
    </Page>
  )
}
