/** Tabs below Alerts, each a page and a line here. */
import type { ReactNode } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { TabLabel, Tabs, tab } from '#ui/tabs.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import { alertsPaths } from './paths.ts'

export interface TabCounts {
  readonly rules: number
  readonly messages: number
  readonly channels: number
  readonly muted: number
}

const TABS: readonly {
  readonly name: string
  readonly path: (org: string) => string
  readonly count?: (counts: TabCounts) => number
}[] = [
  { name: 'Rules', path: (org) => paths.alerts(org), count: ({ rules }) => rules },
  { name: 'Log', path: (org) => paths.alertLog(org), count: ({ messages }) => messages },
  { name: 'Channels', path: paths.alertChannels, count: ({ channels }) => channels },
  { name: 'Mutes', path: alertsPaths.alertMutes, count: ({ muted }) => muted },
  { name: 'Quiet hours', path: alertsPaths.quietHours },
]

/** Heading of a tab without filters, as high as these: the tabs below stay where they are. */
export function AlertHead({ end }: { readonly end?: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-6 pt-3 max-phone:px-4">
      <h1 className="text-20 font-strong">Alerts</h1>
      {end}
    </div>
  )
}

export function AlertTabs({ org, counts }: { readonly org: string; readonly counts: TabCounts }) {
  const { pathname } = useLocation()
  const seesChannels = useCan('channel.read')
  return (
    <Tabs label="Alerts" className="border-b px-6 max-phone:px-4">
      {TABS.filter(({ name }) => seesChannels || name !== 'Channels').map(({ name, path, count }) => (
        <PageLink
          key={name}
          to={path(org)}
          prefetch
          className={tab}
          aria-current={path(org) === pathname ? 'page' : undefined}
        >
          <TabLabel label={name} {...(count === undefined ? {} : { count: count(counts) })} />
        </PageLink>
      ))}
      <DocsLink className="tab ms-auto">Docs</DocsLink>
    </Tabs>
  )
}
