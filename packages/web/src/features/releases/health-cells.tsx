/** Columns of the list of releases that tell how a release fares. */

import { crashFreeText, floorOf, TONE_TEXT, toneOf } from '#parts/crash-free.ts'
import { Count } from '#ui/number.tsx'
import { ShareBar } from '#ui/share-bar.tsx'
import { tableNum } from '#ui/table.tsx'
import type { ListedHealth } from './health.server.ts'

export function HealthHeads() {
  return (
    <>
      <th scope="col">Adoption, 24 h</th>
      <th scope="col" className={`mid-only ${tableNum}`}>
        Sessions, 24 h
      </th>
      <th scope="col" className={tableNum}>
        Crash-free sessions
      </th>
      <th scope="col" className={`mid-only ${tableNum}`}>
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
      <td data-label="Adoption, 24 h">
        {adoption === null ? (
          <span className="text-ink-3">replaced</span>
        ) : (
          <ShareBar part={adoption} whole={1} width={56} />
        )}
      </td>
      <td className={`mid-only ${tableNum}`} data-label="Sessions, 24 h">
        <Count value={lastDay} />
      </td>
      <td className={tableNum} data-label="Crash-free sessions">
        <span className="inline-flex items-center justify-end gap-2">
          <Sparkline shares={trend} />
          <span className={`stack-fit num w-16 ${TONE_TEXT[toneOf(sessions, { of: 'sessions', isYoung })]}`}>
            {crashFreeText(sessions)}
          </span>
        </span>
      </td>
      <td className={`mid-only ${tableNum}`} data-label="Crash-free users">
        <span className={`num ${TONE_TEXT[toneOf(people, { of: 'people', isYoung })]}`}>
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
      <td data-label="Health" className="whitespace-nowrap text-ink-3">
        no sessions
      </td>
      <td className="mid-only" />
      <td />
      <td className="mid-only" />
    </>
  )
}

const WIDTH = 64
const HEIGHT = 16

/** Crash-free sessions day by day; a line goes over days without. */
function Sparkline({ shares }: { readonly shares: readonly (number | null)[] }) {
  const floor = floorOf(shares)
  const x = (index: number) => (index / Math.max(1, shares.length - 1)) * WIDTH
  const y = (share: number) => 1 + (1 - (share - floor) / (1 - floor)) * (HEIGHT - 3)
  const points = shares.flatMap((share, index) => (share === null ? [] : [{ x: x(index), y: y(share) }]))
  const [only] = points
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" className="wide-only shrink-0 max-phone:hidden">
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-grid" />
      {points.length === 1 && only !== undefined ? (
        <circle cx={Math.min(WIDTH - 2, Math.max(2, only.x))} cy={only.y} r="1.5" className="fill-bar" />
      ) : (
        <polyline
          points={points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ')}
          fill="none"
          strokeWidth="1.5"
          className="stroke-bar"
        />
      )}
    </svg>
  )
}
