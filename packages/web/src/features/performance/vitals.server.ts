import { max } from '@errata/server/limits'
import { VITAL_THRESHOLDS, type VitalsView } from '@errata/server/queries'
import { readAddress } from '#parts/address.ts'
import { namesOfProjects } from '#parts/choices.server.ts'
import { releaseMarks } from '#parts/release-marks.server.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { pageKey } from './figures.ts'
import { filterOf, offeredFor } from './performance.server.ts'
import { VITALS_ADDRESS } from './performance-address.ts'

const PAGES_SHOWN = 30
const RELEASES_SHOWN = 10

/** Web vitals: one of them in full, and all of them by page, release and device. */
export async function loadVitals(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { route, vital, ...address } = readAddress(VITALS_ADDRESS, org.url.searchParams)
  const filter = { ...filterOf(org, address), project: address.project, route }
  const [offered, view] = await Promise.all([
    offeredFor(org, address),
    readable(ctx, 'vitals', {
      read: () => org.engine.queries.vitals(org.scope, filter),
      otherwise: (): VitalsView | null => emptyVitals(filter.range),
    }),
  ])
  if (view === null) return notFound('This project doesn’t exist, or you don’t have access to it.')
  const { pages, releases, estimated, ...shown } = view
  const marks = await releaseMarks(org, { project: address.project, ...filter.range })
  const isOf = new Set(estimated.map(pageKey))
  const byPage = [...Map.groupBy(pages, pageKey).values()]
  const listed = byPage.slice(0, PAGES_SHOWN)
  const projects = await namesOfProjects(
    org,
    listed.flatMap(([page]) => (page === undefined ? [] : [page.projectId])),
  )
  const byRelease = [...Map.groupBy(releases, ({ key }) => key)]
  return {
    org: org.scope.orgSlug,
    ...{ address, route, vital, nowMs: org.nowMs, ...offered, ...shown },
    isMany: org.scope.projects.length > 1,
    pagesTotal: byPage.length,
    pages: listed.map((own) => ({
      ...{ own, project: pageProjectName(own, projects) },
      isEstimated: own.some((page) => isOf.has(pageKey(page))),
    })),
    isEstimated: route === null ? isOf.size > 0 : estimated.some((page) => page.route === route),
    releases: byRelease.slice(0, RELEASES_SHOWN).map(([release, own]) => ({ release, own })),
    offeredReleases: byRelease
      .map(([release]) => release)
      .filter(Boolean)
      .slice(0, max('facetValuesMax')),
    devices: [...Map.groupBy(shown.devices, ({ device }) => device)].map(([device, own]) => ({
      device,
      own: own.map(({ vital: of, count, good, poor, p75 }) => ({
        ...{ vital: of, count: Math.round(count), p75 },
        shares: sharesOf(count, good, poor),
      })),
    })),
    marks,
  }
}

export type VitalsData = Awaited<ReturnType<typeof loadVitals>>

function pageProjectName(
  [page]: readonly VitalsView['pages'][number][],
  projects: Awaited<ReturnType<typeof namesOfProjects>>,
) {
  const found = page === undefined ? undefined : projects.get(page.projectId)
  return found ?? { slug: String(page?.projectId ?? ''), name: '' }
}

function sharesOf(count: number, good: number, poor: number): readonly [number, number, number] {
  const all = Math.max(count, 1e-9)
  return [good / all, Math.max(0, 1 - (good + poor) / all), poor / all]
}

function emptyVitals(range: VitalsView['range']): VitalsView {
  const none = { spreads: [], series: [], pages: [], releases: [], estimated: [], devices: [] }
  return {
    ...{ range, bucketMs: range.endMs - range.startMs, bounds: VITAL_THRESHOLDS, ...none },
    ...{ looked: 0, elements: [], blocking: [] },
  }
}
