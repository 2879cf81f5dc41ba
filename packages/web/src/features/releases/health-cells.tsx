/** Columns of the list of releases that tell how a release fares. */

import { crashFreeText, crashFreeTone, floorOf, TONE_TEXT } from '#parts/crash-free.ts'
import { SparkLine } from '#ui/charts/spark-shapes.tsx'
import { Sparkline } from '#ui/charts/sparkline.tsx'
import { Count } from '#ui/number.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { tableNum } from '#ui/table.tsx'
import type { ListedHealth } from './health.server.ts'

export function HealthHeads() {
  return (
    <>
      <th scope="col" className="max-phone:text-end">
        Adoption, 24 h
      </th>
      <th scope="col" className={`stack-none mid-only ${tableNum}`}>
        Sessions, 24 h
      </th>
      <th scope="col" className={tableNum}>
        Crash-free sessions
      </th>
      <th scope="col" className={`stack-none mid-only ${tableNum}`}>
        Crash-free users
      </th>
    </>
  )
}

/** `null`: the release has no sessions. */
export function HealthCells({ health }: { readonly health: ListedHealth | null }) {
  if (health === null) return <NoSessions />
  const { adoption, lastDay, sessions, people, isYoung, trend } = health
  return (
    <>
      <td className="max-phone:[&_svg]:hidden">
        {adoption === null ? (
          <span className="text-ink-3">replaced</span>
        ) : (
          <ShareBar part={adoption} whole={1} width={56} />
        )}
      </td>
      <td className={`stack-none mid-only ${tableNum}`}>
        <Count value={lastDay} />
      </td>
      <td className={tableNum}>
        <span className="inline-flex items-center justify-end gap-2">
          <CrashFreeLine shares={trend} />
          <span
            className={`stack-fit num w-16 ${TONE_TEXT[crashFreeTone(sessions, { of: 'sessions', isYoung })]}`}
          >
            {crashFreeText(sessions)}
          </span>
        </span>
      </td>
      <td className={`stack-none mid-only ${tableNum}`}>
        <span className={`num ${TONE_TEXT[crashFreeTone(people, { of: 'people', isYoung })]}`}>
          {health.isExact || people === null ? null : '≈ '}
          {crashFreeText(people)}
        </span>
      </td>
    </>
  )
}

function NoSessions() {
  return (
    <>
      <td className="whitespace-nowrap text-ink-3 max-phone:col-span-2">no sessions</td>
      <td className="stack-none mid-only" />
      <td className="stack-none" />
      <td className="stack-none mid-only" />
    </>
  )
}

/** Crash-free sessions day by day. */
function CrashFreeLine({ shares }: { readonly shares: readonly (number | null)[] }) {
  return (
    <span className="wide-only max-phone:hidden">
      <Sparkline
        label={`Crash-free sessions by day: ${crashFreeText(shares.findLast((share) => share !== null) ?? null)} last`}
        shape={SparkLine}
        values={shares}
        base={floorOf(shares)}
        top={1}
        width={64}
        height={16}
      />
    </span>
  )
}
