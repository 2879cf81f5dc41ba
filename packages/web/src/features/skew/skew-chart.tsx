/** Failed clicks hour by hour since the deploy, by what failed, and when half of them were over. */

import { timeText } from '#parts/chosen-range.ts'
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
  const startMs = hours[0]?.startMs ?? deploy.atMs
  const issue = issueOf(deploy)
  const eventsIn = (from: number, to: number) =>
    issue === null
      ? null
      : paths.issueEvents(org, issue.shortId, {
          query: `timestamp:>=${timeText(from)} timestamp:<${timeText(to)}`,
        })
  return (
    <section aria-label="Failed clicks in stale tabs" className="py-5">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-13 font-strong">Failed clicks in stale tabs</h2>
        <span className="text-12 text-ink-3">per {step} since the deploy</span>
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
        rowsOf={(slot) => eventsIn(startMs + slot * widthMs, startMs + (slot + 1) * widthMs)}
        rangeTo={({ from, to }) => eventsIn(from, to)}
      />
    </section>
  )
}

/** Returns the issue that all places belong to; `null` where there are several, or none. */
function issueOf({ places }: DeployDetail): DeployDetail['places'][number]['issue'] {
  const [first] = places
  return first !== undefined && places.every(({ issue }) => issue?.shortId === first.issue?.shortId)
    ? first.issue
    : null
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
