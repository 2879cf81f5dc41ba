/** How a request ended, in a word: its status, and what the status hides. */
import type { TraceRow } from './traces.server.ts'

export function RequestEndText(props: { readonly end: TraceRow['end']; readonly httpStatus: number | null }) {
  const { end, httpStatus } = props
  if (end === 'failed-behind-200') return <span className="font-strong text-bad">failed, 200</span>
  if (end === 'failed') return <span className="num text-bad">{httpStatus ?? 'failed'}</span>
  if (end === 'aborted') return <span className="text-ink-3">aborted</span>
  return <span className="num text-ink-2">{httpStatus ?? (end === 'answered' ? 'ok' : '')}</span>
}
