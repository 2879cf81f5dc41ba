/** Turns a page of Markdown into HTML: headings with anchors, links to other pages, code that can be copied. */
import { Marked, type Tokens } from 'marked'
import { BASE_MARK, type HandbookSection } from '../src/handbook/handbook.ts'
import { codeTokens } from '../src/ui/highlight.ts'
import { escapeHtml } from '../src/wire/html.ts'

/** Returns the address of the handbook to which a link of a page leads; `null` for what is not in it. */
export type LinkReader = (href: string) => string | null

export interface ReadPage {
  readonly title: string
  readonly html: string
  readonly sections: readonly HandbookSection[]
}

export function readPage(markdown: string, linkOf: LinkReader): ReadPage {
  const sections: Section[] = []
  const anchors = new Anchors()
  /** No link stands within another. */
  let isInLink = false
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const heading = plainText(tokens)
        const anchor = anchors.next(heading)
        sections.push({ anchor: depth === 1 ? '' : anchor, heading, depth, words: [] })
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to “${escapeHtml(heading)}”">#</a>`
        return `<h${depth} id="${anchor}">${inner}${link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        isInLink = true
        const inner = this.parser.parseInline(tokens)
        isInLink = false
        if (/^https?:\/\//.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`
        const address = linkOf(href)
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      image({ href, text }) {
        const address = linkOf(href)
        if (address === null) return escapeHtml(text)
        return `<a class="picture" href="${escapeHtml(address)}"><img src="${escapeHtml(address)}" alt="${escapeHtml(text)}" loading="lazy"></a>`
      },
      codespan({ text }) {
        const address = !isInLink && text.startsWith('/') ? linkOf(text) : null
        const word = text.length <= WORD_CHARS_MAX && !text.includes(' ') ? ' class="word"' : ''
        const inner = `<code${word}>${escapeHtml(text)}</code>`
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`
      },
      // Comments mark tables that are made; other tags are text.
      html({ text }) {
        return /^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text)
      },
      code: codeBlock,
      table({ header, rows }) {
        const inner = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        const heads = header.map((cell) => `<th scope="col">${inner(cell)}</th>`).join('')
        const names = header.map(({ tokens }) => escapeHtml(plainText(tokens)))
        const body = rows.map((row) => {
          const cells = row.map((cell, at) => `<td data-label="${names[at] ?? ''}">${inner(cell)}</td>`)
          return `<tr>${cells.join('')}</tr>\n`
        })
        // A wide one scrolls in its own box; on a phone its rows are stacked, with the names of the columns beside.
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${heads}</tr></thead>
<tbody>${body.join('')}</tbody></table></div>\n`
      },
    },
  })
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  const title = sections.find(({ depth }) => depth === 1)?.heading ?? ''
  return { title, html, sections: withWords(tokens, sections) }
}

/** A longer one is broken where a line ends, as text is. */
const WORD_CHARS_MAX = 32

interface Section extends Omit<HandbookSection, 'text'> {
  readonly words: string[]
}

/** Characters of a section that the search reads: a long table is found by its first rows and by its heading. */
const SEARCHED_CHARS_MAX = 4_000

/** Every text goes to the heading that stands before it. */
function withWords(tokens: readonly Tokens.Generic[], sections: readonly Section[]) {
  let at = -1
  for (const token of tokens) {
    if (token.type === 'heading') at += 1
    else if (token.type !== 'html') sections[at]?.words.push(plainText([token]))
  }
  return sections.map(({ words, ...rest }) => ({
    ...rest,
    text: words.join(' ').replaceAll(/\s+/g, ' ').trim().slice(0, SEARCHED_CHARS_MAX),
  }))
}

/** Returns the text of tokens, without marks. */
function plainText(tokens: readonly Tokens.Generic[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'table') return tableText(token)
      if (token.type === 'list') return plainText(token.items)
      if (token.tokens !== undefined)
        return `${plainText(token.tokens)}${IS_BLOCK.has(token.type) ? ' ' : ''}`
      if (token.type === 'code') return `${token.text} `
      if (token.type === 'html') return ''
      return typeof token.text === 'string' ? token.text : ' '
    })
    .join('')
}

const IS_BLOCK: ReadonlySet<string> = new Set(['paragraph', 'list_item', 'blockquote', 'heading'])

function tableText(table: Tokens.Generic): string {
  const cells = [...table.header, ...table.rows.flat()]
  return cells.map((cell: Tokens.TableCell) => plainText(cell.tokens)).join(' ')
}

/** Names of headings as GitHub makes them, so that a link holds in both places. */
class Anchors {
  readonly #seen = new Map<string, number>()

  next(heading: string): string {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const times = this.#seen.get(name) ?? 0
    this.#seen.set(name, times + 1)
    return times === 0 ? name : `${name}-${times}`
  }
}

const SCRIPTS: ReadonlySet<string> = new Set(['js', 'ts', 'tsx', 'jsx'])
/** Comment of a shell, a configuration, or a file with settings. */
const HASH_COMMENT = /(^|\s)(#.*)$/

function codeBlock({ text, lang }: Tokens.Code): string {
  const language = (lang ?? '').split(/\s/)[0] ?? ''
  const line = SCRIPTS.has(language) ? scriptLine : language === 'json' ? escapeHtml : otherLine
  const inner = text.split('\n').map(line).join('\n')
  return `<div class="code"><pre tabindex="0"><code>${inner}</code></pre></div>\n`
}

function scriptLine(line: string): string {
  return codeTokens(line)
    .map(({ kind, text }) =>
      kind === 'plain' ? escapeHtml(text) : `<span class="code-${kind}">${escapeHtml(text)}</span>`,
    )
    .join('')
}

function otherLine(line: string): string {
  const found = HASH_COMMENT.exec(line)
  if (found === null) return escapeHtml(line)
  const [, before = '', comment = ''] = found
  const code = line.slice(0, found.index) + before
  return `${escapeHtml(code)}<span class="code-comment">${escapeHtml(comment)}</span>`
}

export function addressOf(slug: string, anchor = ''): string {
  return `${BASE_MARK}/docs${slug === '' ? '' : `/${slug}`}${anchor === '' ? '' : `#${anchor}`}`
}
