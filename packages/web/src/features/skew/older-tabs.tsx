/** How long the tabs of older builds stay in use after a deploy, below the clicks that failed in them. */

import { PageChart } from '#parts/page-chart.tsx'
import { stepWords } from '#parts/step-words.ts'
import { countScale, valueScale } from '#ui/charts/scales.ts'
import { numberText } from '#ui/number-text.ts'
import { deployAxis, deployMarks } from './skew-chart.tsx'
import type { DeployDetail } from './skew-text.ts'

const HEIGHT = 48

export function OlderTabs({ deploy }: { readonly deploy: DeployDetail }) {
  const { olderTabs: tabs, widthMs } = deploy
  if (tabs === null) return null
  const step = stepWords(widthMs)
  const text = (count: number) => `${tabs.isEstimated ? '≈ ' : ''}${numberText(Math.round(count))}`
  const [first, last] = [tabs.views[0] ?? 0, tabs.views.at(-1) ?? 0]
  const { ticks } = countScale(Math.max(1, ...tabs.views))
  return (
    <section aria-label="Tabs on older builds" className="pb-5">
      <div className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-13 font-strong">Tabs on older builds</h2>
        <span className="num text-12 text-ink-3">
          page loads and navigations per {step}: {text(first)} in the first, {text(last)} in the last
        </span>
      </div>
      <PageChart
        label={`Page views in tabs of older builds: ${text(first)} in the first ${step}, ${text(last)} in the last`}
        x={deployAxis(deploy)}
        marks={deployMarks(deploy)}
        plots={[
          {
            height: HEIGHT,
            y: valueScale({ base: 0, top: ticks.at(-1)?.value ?? 1, text, ticks }),
            series: [
              { name: 'Page views', as: 'area', tone: 'grid', values: tabs.views },
              { name: 'Page views', as: 'line', tone: 'server', values: tabs.views },
            ],
          },
        ]}
      />
    </section>
  )
}
