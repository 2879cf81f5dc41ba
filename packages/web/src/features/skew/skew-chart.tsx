/** Failed clicks hour by hour since the deploy, by what failed, and when half of them were over. */

import { type ChosenRange, chosenQuery } from '#parts/chosen-range.ts'
import { PageChart } from '#parts/page-chart.tsx'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { stepWords } from '#parts/step-words.ts'
import type { ChartMark, ChartX } from '#ui/charts/chart-types.ts'
import { ChartLegend } from '#ui/charts/legend.tsx'
import { countScale } from '#ui/charts/scales.ts'
import { numberText } from '#ui/number-text.ts'
import { type DeployDetail, longText } from './skew-text.ts'

const PARTS = [
  { key: 'action', label: 'unknown action', tone: 'server' },
  { key: 'files', label: 'missing file', tone: 'bar-2' },
  { key: 'pageData', label: 'page data', tone: 'bar' },
] as const

const HEIGHT = 100
/** `2026-11-20T08:00`, as the list of issues has a time: bars are of whole hours. */
const MINUTE_CHARS = 16
/** Fewer bars than this have no room for four names below them. */
const BARS_NAMED_MIN = 4

/** The axis of both charts of a deploy. */
export function deployAxis({ hours, widthMs, atMs }: DeployDetail): ChartX {
  return {
    kind: 'time',
    ...{ startMs: hours[0]?.startMs ?? atMs, stepMs: widthMs, count: Math.max(1, hours.length) },
    ...(hours.length < BARS_NAMED_MIN ? { parts: [0] } : {}),
  }
}

export function SkewChart({ org, deploy }: { readonly org: string; readonly deploy: DeployDetail }) {
  const { hours, widthMs } = deploy
  const peak = Math.max(1, ...hours.map(({ action, files, pageData }) => action + files + pageData))
  const shown = PARTS.filter(({ key }) => hours.some((hour) => hour[key] > 0))
  const step = stepWords(widthMs)
  return (
    <section aria-label="Failed clicks in stale tabs" className="py-5">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-13 font-strong">Failed clicks in stale tabs</h2>
        <span className="text-12 text-ink-3">
          per {step} since the deploy
          {deploy.places.some(({ issue }) => issue !== null) ? '; select a bar for its events' : ''}
        </span>
        <span className="ms-auto max-phone:ms-0">
          <ChartLegend
            items={shown.map(({ key, label, tone }) => ({
              ...{ text: label, tone },
              value: numberText(hours.reduce((sum, hour) => sum + hour[key], 0)),
            }))}
          />
        </span>
      </div>
      <PageChart
        label={`Failed clicks per ${step}, peak ${numberText(peak)}`}
        x={deployAxis(deploy)}
        plots={[
          {
            height: HEIGHT,
            y: countScale(peak),
            series: shown.map(({ key, label, tone }) => ({
              ...{ name: label, as: 'bar', tone, values: hours.map((hour) => hour[key]) },
            })),
          },
        ]}
        marks={deployMarks(deploy)}
        rowsOf={(slot) => {
          const startMs = hours[slot]?.startMs ?? deploy.atMs
          return clickEvents(org, deploy, { startMs, endMs: startMs + widthMs })
        }}
        rangeTo={({ from, to }) => clickEvents(org, deploy, { startMs: from, endMs: to })}
      />
    </section>
  )
}

/** Returns the events that told of clicks in a stretch of time; of several issues, these issues. `null` where spans alone told of them. */
function clickEvents(
  org: string,
  { places, projects, environment }: DeployDetail,
  chosen: ChosenRange,
): string | null {
  const issues = new Set(places.flatMap(({ issue }) => (issue === null ? [] : [issue.shortId])))
  const { from, to } = chosenQuery(chosen)
  const [only, ...others] = issues
  if (only === undefined) return null
  if (others.length === 0)
    return paths.issueEvents(org, only, { query: `timestamp:>=${from} timestamp:<${to}` })
  return paths.issues(org, {
    ...{
      query: 'category:skew',
      tab: 'all',
      from: from?.slice(0, MINUTE_CHARS) ?? null,
      to: to?.slice(0, MINUTE_CHARS) ?? null,
    },
    project: projects.map(({ slug }) => slug),
    environment: environment === '' ? null : environment,
  })
}

export function deployMarks({ release, atMs, halfLifeMs }: DeployDetail): readonly ChartMark[] {
  return [
    ...(release === null
      ? []
      : [{ atMs, kind: 'deploy' as const, name: release, label: versionOf(release) }]),
    ...(halfLifeMs === null
      ? []
      : [
          {
            ...{ atMs: atMs + halfLifeMs, kind: 'note' as const },
            ...sameName(`half-life ${longText(halfLifeMs)}`),
          },
        ]),
  ]
}

function sameName(name: string) {
  return { name, label: name }
}
