/** Markdown as Errata writes it, in the markup of Jira's API version 2: headings, lists, and blocks of text as it is. */

const FENCE = /^(`{3,})\s*$/

export function jiraMarkup(markdown: string): string {
  let fence: string | null = null
  const lines = markdown.split('\n').map((line) => {
    const [, ticks] = FENCE.exec(line) ?? []
    if (fence === null && ticks !== undefined) {
      fence = ticks
      return '{noformat}'
    }
    if (fence !== null && ticks === fence) {
      fence = null
      return '{noformat}'
    }
    // A block that what it holds could end would let it be read as markup.
    return fence === null ? plainLine(line) : line.replaceAll(/\{noformat\}/gi, '{no format}')
  })
  return lines.join('\n')
}

function plainLine(line: string): string {
  const [, marks, heading] = /^(#{1,6}) (.*)$/.exec(line) ?? []
  if (marks !== undefined) return `h${marks.length}. ${escapeMarkup(heading ?? '')}`
  return line.startsWith('- ') ? `* ${escapeMarkup(line.slice(2))}` : escapeMarkup(line)
}

/** Escapes what begins markup in Jira: braces and brackets begin macros, mentions and links, `!` begins images. */
function escapeMarkup(text: string): string {
  return text.replaceAll('`', '').replaceAll(/[{}[\]!]/g, (mark) => `\\${mark}`)
}
