/** Entries of the palette, group by group. Pure. */
import type { FrameData } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import type { RecentPage } from '#parts/recent-pages.ts'
import type { Shortcut } from '#parts/shortcuts.tsx'
import { fitsText } from '#parts/text-match.ts'
import { byWord } from '#ui/by-word.ts'
import type { IconName } from '#ui/icons.tsx'
import type { PaletteAnswer } from './palette.server.ts'
import type { PaletteEntry, PaletteGroup } from './palette-groups.server.ts'
import { shellPlaces } from './places.ts'

/** `run` is what it does; else it leads to `path`. */
export interface Entry extends PaletteEntry {
  readonly run?: () => void
  /** Other words that it is found by. */
  readonly also?: string
}

interface Asked {
  readonly frame: FrameData
  readonly text: string
  readonly answer: PaletteAnswer
  /** The answer is of this text, not of what was typed since. */
  readonly isCurrent: boolean
  readonly shortcuts: readonly (Shortcut & Pick<Entry, 'also'>)[]
  readonly recent: readonly RecentPage[]
  /** Assigns what is open; `null` where nothing is. */
  readonly assign: ((to: string) => void) | null
}

/** So that issues are seen without scrolling, however many projects there are. */
const EACH_MAX = 6

export function groupsFor(
  asked: Asked,
): readonly { readonly name: string; readonly entries: readonly Entry[] }[] {
  const { frame, answer, isCurrent } = asked
  const text = asked.text.trim()
  const has = fitsText(text)
  const fits = ({ text: named, also = '' }: Entry) => has(`${named} ${also}`)
  const group = (name: string, entries: readonly Entry[]): PaletteGroup => ({
    name,
    entries: entries.slice(0, EACH_MAX),
  })
  // The server found by title, place and name; an older answer is narrowed until the next one comes.
  const found = answer.groups.map(({ name, entries }) =>
    group(name, isCurrent ? entries : entries.filter(fits)),
  )
  const own = [
    ...asked.shortcuts.map(actionEntry).filter(fits),
    ...(isCurrent ? answer.creations : answer.creations.filter(fits)),
  ]
  const search = { icon: 'search', text: `Search issues for “${text}”`, note: '' } as const
  return [
    group('Found', answer.targets),
    group(
      'Recent',
      text === '' ? asked.recent.map(({ path, title }) => shellEntry('clock', title, path)) : [],
    ),
    group('Actions', [...assignEntries(asked), ...own]),
    group('Pages', [
      ...shellPlaces(frame).map(placeEntry).filter(fits),
      ...answer.pages.filter((page) => isCurrent || fits(page)),
    ]),
    ...found,
    group(
      'Search',
      text === '' || frame.org === null
        ? []
        : [{ ...search, path: paths.issues(frame.org.slug, { query: text }) }],
    ),
    group('Documentation', answer.docs),
  ].filter(({ entries }) => entries.length > 0)
}

/**
 * Only where `assign` is asked for: a name alone leads to who it is. Nobody of an older answer: Enter assigns to the
 * first.
 */
function assignEntries({ text, answer, isCurrent, assign }: Asked): readonly Entry[] {
  if (assign === null || !isCurrent || !/^assign\b/i.test(text.trim())) return []
  return answer.assignees.map(({ to, name, why, invite }) =>
    to === ''
      ? { ...shellEntry('person', `Invite ${name}`, invite), note: why }
      : {
          ...shellEntry(to.startsWith('team-') ? 'people' : 'person', `Assign to ${name}`, ''),
          note: why,
          run: () => assign(to),
        },
  )
}

function placeEntry({ name, path, key }: ReturnType<typeof shellPlaces>[number]): Entry {
  return { ...shellEntry('arrow', name, path), note: key === undefined ? '' : `g ${key}` }
}

/** Words by which people ask for what a page calls otherwise. */
const ALSO = byWord({
  Archive: 'silence mute snooze ignore',
  'Send to…': 'tell notify team share chat',
})

function actionEntry({ keys, label, also = ALSO[label] ?? '', run }: Asked['shortcuts'][number]): Entry {
  return { ...shellEntry('check', label, ''), also, note: keys, run: () => run(new KeyboardEvent('keydown')) }
}

function shellEntry(icon: IconName, text: string, path: string): Entry {
  return { icon, text, path, note: '' }
}
