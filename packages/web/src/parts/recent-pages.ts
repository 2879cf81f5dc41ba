/** Pages that were opened last, kept in this browser for each account. */

export interface RecentPage {
  readonly path: string
  readonly title: string
}

const KEPT_MAX = 8
const TITLE_CHARS_MAX = 120

/** Puts a page before the others. */
export function keepPage(account: string, { path, title }: RecentPage): void {
  const others = readRecentLines(account).filter((line) => !line.startsWith(`${path} `))
  const line = `${path} ${title.replaceAll('\n', ' ').slice(0, TITLE_CHARS_MAX)}`
  try {
    localStorage.setItem(recentPagesKey(account), [line, ...others].slice(0, KEPT_MAX).join('\n'))
  } catch {
    // The browser keeps nothing for this page: then there are none.
  }
}

/** Returns the newest first. */
export function recentPages(account: string): readonly RecentPage[] {
  return readRecentLines(account).map((line) => {
    const end = line.indexOf(' ')
    return { path: line.slice(0, end), title: line.slice(end + 1) }
  })
}

/** An address has no space: the title follows the first. */
function readRecentLines(account: string): readonly string[] {
  try {
    return (localStorage.getItem(recentPagesKey(account)) ?? '')
      .split('\n')
      .filter((line) => /^\/(?!\/)\S* /.test(line))
  } catch {
    return []
  }
}

function recentPagesKey(account: string): string {
  return `errata.pages.${account}`
}
