/** Notes needed to read a waterfall, in words. Pure. */
import { numberText, quantityText } from '#ui/number-text.ts'
import { durationText } from '#ui/time-text.ts'
import type { TraceData } from './trace.server.ts'

/** Why a parent may yet come, for somebody who looks while the request runs. */
const SENT_LAST = ' A span is sent when it ends, so the longest come last.'

export function notesOf(
  data: Pick<TraceData, 'clockShiftMs' | 'isCut' | 'sampledOut' | 'columns' | 'errors'>,
) {
  const { clockShiftMs, isCut, sampledOut, columns, errors } = data
  const spans = columns.id.length
  const notes: string[] = []
  const shift = Math.round(Math.abs(clockShiftMs ?? 0))
  if (clockShiftMs !== null && shift > 0) {
    const way = clockShiftMs > 0 ? 'ahead' : 'behind'
    notes.push(`Browser clock runs ${durationText(shift)} ${way}; its spans are shifted by that.`)
  }
  if (isCut) notes.push(`The trace has more spans; the first ${numberText(spans)} are shown.`)
  const orphans = columns.orphans.length
  if (orphans > 0 && !isCut) {
    notes.push(
      orphans === 1
        ? `1 span is listed at the top level: its parent has not arrived.${SENT_LAST}`
        : `${numberText(orphans)} spans are listed at the top level: their parents have not arrived.${SENT_LAST}`,
    )
  }
  if (sampledOut > 0) {
    notes.push(
      `The project’s sample rate dropped the spans of ${quantityText(sampledOut, 'request')}; they are counted.`,
    )
  }
  if (spans === 0 && errors.length > 0) {
    notes.push(
      'Only the errors of this trace are stored: tracing is off, the SDK did not sample it, or the retention of its spans has ended.',
    )
  } else if (errors.some(({ spanId }) => spanId !== null && !columns.id.includes(spanId))) {
    notes.push('The errors at the end belong to spans that were not received.')
  }
  return notes
}
