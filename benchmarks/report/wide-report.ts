/** The rows of a wide installation, with what was wanted of each. */
import { FLOOD_RATE } from '../measures/flood.ts'
import type { Measured } from '../measures/tools.ts'
import type { WideReport } from '../measures/wide.ts'
import { RATE_BESIDE } from '../measures/wide-pages.ts'
import { atLeast, atMost, GOALS } from './goals.ts'
import type { ResultRow } from './result-row.ts'

export function describeWide(report: WideReport): Measured {
  return {
    name: 'wide',
    rows: [
      ...rowsOfChanges(report),
      ...(['idle', 'beside'] as const).flatMap((when) => rowsOfPages(report, when)),
      ...rowsOfIngest(report),
    ],
    notes: [
      `wide: ${report.history.errors} errors and ${report.history.spans} spans over 22 days, built by the calls of the web app and the web API; CPU is of the whole process`,
      ...refusals(report),
    ],
    details: report,
  }
}

function rowsOfChanges({ width, history, costs, startedInMs }: WideReport): readonly ResultRow[] {
  const goals = GOALS.wide
  const projects = width.projects + width.otherProjects
  const { earlyProject, lateProject, key, search } = costs
  const ratio = earlyProject === null || lateProject === null ? null : lateProject / earlyProject
  return [
    atMost(
      `wide: built, ${projects} projects, ${width.people} people`,
      history.builtInSeconds,
      goals.buildSeconds,
      's',
    ),
    atMost('wide: start', startedInMs, null, 'ms'),
    atMost('wide: CPU of the tenth project', earlyProject, null, 'ms'),
    atMost(`wide: CPU of project ${projects}`, lateProject, goals.projectMs, 'ms'),
    atMost('wide: the last project beside the tenth', ratio, goals.projectRatio, ''),
    atMost('wide: CPU of renaming a key', key, goals.projectMs, 'ms'),
    atMost('wide: CPU of sharing a search', search, goals.projectMs, 'ms'),
  ]
}

function rowsOfPages(report: WideReport, when: 'idle' | 'beside'): readonly ResultRow[] {
  const goals = GOALS.wide
  return (['owner', 'guest'] as const).flatMap((who) => {
    const { largest, slowest, p95Ms, mainThread, scans } = report[when][who]
    const name = `${who}, ${when === 'idle' ? 'idle' : `beside ${RATE_BESIDE}/s`}`
    const [worst] = slowest
    return [
      atMost(`largest page, ${name}: ${largest.path}`, largest.kilobytes, goals.pageKb, 'KB'),
      atMost(`pages p95, ${name}`, p95Ms, goals.pageMs, 'ms'),
      ...(worst === undefined
        ? []
        : [atMost(`slowest page, ${name}: ${worst.path}`, worst.ms, goals.pageMs, 'ms')]),
      // Beside others the thread answers them too: it says something of a page alone when it is idle.
      ...(mainThread === null || when === 'beside'
        ? []
        : [
            atMost(
              `longest on the main thread, ${name}: ${mainThread.path}`,
              mainThread.ms,
              goals.mainThreadMs,
              'ms',
            ),
          ]),
      ...Object.entries(scans).map(([page, ms]) => atMost(`${page}, ${name}`, ms, goals.pageMs, 'ms')),
    ]
  })
}

function rowsOfIngest({ drained, flood, memory }: WideReport): readonly ResultRow[] {
  const goals = GOALS.wide
  return [
    atLeast('wide: drained, all projects and issues', drained.wide, null, '/s'),
    atLeast('wide: drained, one project with 26 issues', drained.narrow, null, '/s'),
    atLeast('wide: drained beside narrow', drained.wide / drained.narrow, goals.drainedRatio, ''),
    atLeast('wide: a flood of one project, acknowledged', flood.rate, null, '/s'),
    atMost(
      `wide: readable beside a flood of ${FLOOD_RATE}/s, p95`,
      flood.readable.p95Ms,
      goals.readableMs,
      'ms',
    ),
    atMost('wide: memory at most', memory.peak, null, 'MB'),
    atMost('wide: memory after a rest', memory.after, goals.memoryMb, 'MB'),
  ]
}

function refusals({ idle }: WideReport): readonly string[] {
  return (['owner', 'guest'] as const).flatMap((who) => {
    const { refused, moved } = idle[who]
    const [others, old] = [Object.entries(refused), Object.entries(moved)]
    const said: string[] = []
    if (others.length > 0)
      said.push(
        `wide: answered otherwise than 200 for the ${who}: ${others.map(([path, is]) => `${path} ${is}`).join(', ')}`,
      )
    if (old.length > 0)
      said.push(
        `wide: old addresses that lead to a page, which was looked at, for the ${who}: ${old.map(([path, to]) => `${path} to ${to}`).join(', ')}`,
      )
    return said
  })
}
