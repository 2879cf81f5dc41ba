import { Icon } from '#ui/icons.tsx'
import { notesOf } from './notes.ts'
import type { TraceData } from './trace.server.ts'

/** Notes needed to read the waterfall, in words. */
export function WaterfallNotes({ data }: { readonly data: TraceData }) {
  const notes = notesOf(data)
  if (notes.length === 0) return null
  return (
    <ul className="sticky start-0 max-w-160 space-y-1 px-6 py-3 text-12 text-ink-3 max-phone:max-w-[100vw] max-phone:px-4">
      {notes.map((note) => (
        <li key={note} className="flex gap-2">
          <Icon name="clock" size={14} className="mt-px shrink-0" />
          {note}
        </li>
      ))}
    </ul>
  )
}
