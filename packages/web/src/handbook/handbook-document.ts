/** A page of the handbook as a whole document: complete without script, and the same for everybody who may see it so. */
import { paths } from '#parts/paths.ts'
import { basePath, withBasePath } from '#wire/base-path.ts'
import { ICON, type Theme } from '#wire/document.ts'
import { escapeHtml } from '#wire/html.ts'
import { BASE_MARK, type Handbook, type HandbookGroup, type HandbookPage } from './handbook.ts'
import type { FoundSection } from './search.ts'

export interface HandbookView {
  readonly handbook: Handbook
  readonly theme: Theme
  readonly isSignedIn: boolean
  /** Address at which the reader reaches this installation. */
  readonly address: string
  readonly script: string
  readonly styles: readonly string[]
}

/** Between header and foot. */
interface Body {
  readonly title: string
  readonly html: string
  /** Page that is shown; `null` for one that is not in the list. */
  readonly page: HandbookPage | null
  readonly query?: string
}

export function pageDocument(page: HandbookPage, view: HandbookView): string {
  const html = `<article class="prose">${withAddress(page, view.address)}</article>${neighbourLinks(page, view.handbook)}`
  return frame({ title: page.title, html, page }, view)
}

export function missingDocument(view: HandbookView): string {
  const html = `<article class="prose"><h1>Page not found</h1>
<p>The documentation of this version has no such page. <a href="${BASE_MARK}/docs">Start at the overview</a>, or search.</p></article>`
  return frame({ title: 'Page not found', html, page: null }, view)
}

export function searchDocument(
  { query, found }: { readonly query: string; readonly found: readonly FoundSection[] },
  view: HandbookView,
): string {
  const rows = found.map(({ slug, anchor, page, heading, excerpt }) => {
    const note = heading === page ? '' : `<span class="found-page">${escapeHtml(page)}</span>`
    return `<li><a href="${escapeHtml(pagePath(slug, anchor))}">${escapeHtml(heading)}</a> ${note}<p>${escapeHtml(excerpt)}</p></li>`
  })
  const list =
    query === ''
      ? '<p>Enter a word, such as <code>source maps</code> or <code>backup</code>.</p>'
      : rows.length === 0
        ? `<p>No page has all of these words: <b>${escapeHtml(query)}</b>. Try fewer or other words.</p>`
        : `<ol class="found">${rows.join('')}</ol>`
  const html = `<article class="prose"><h1>Search the documentation</h1>${list}</article>`
  return frame({ title: 'Search', html, page: null, query }, view)
}

function pagePath(slug: string, anchor: string): string {
  return `${BASE_MARK}${paths.docs(slug, anchor)}`
}

const EXAMPLE = /https:\/\/(?:([\w%-]+)@)?errata\.example\.com|(?<![\w.@/-])errata\.example\.com/g
/** They tell how an address is chosen: until one with https is, theirs stays an example. */
const CHOOSING = /^operating(?:\/|$)/

/** The example's host becomes the installation's own, so that what is copied can be run. */
function withAddress({ html, slug }: HandbookPage, address: string): string {
  const isHttps = address.startsWith('https://')
  if (!isHttps && CHOOSING.test(slug)) return html
  const [scheme = '', rest = ''] = address.split('://')
  return html.replaceAll(EXAMPLE, (whole, key: string | undefined) => {
    // A bare name stands for a host with https at its usual port.
    if (!whole.startsWith('https:')) return isHttps ? escapeHtml(new URL(address).host) : whole
    return escapeHtml(`${scheme}://${key === undefined ? '' : `${key}@`}${rest}`)
  })
}

function frame({ title, html, page, query = '' }: Body, view: HandbookView): string {
  const { theme, isSignedIn, handbook } = view
  const themeAttribute = theme === 'system' ? '' : ` data-theme="${theme}"`
  const out = isSignedIn
    ? `<a class="out" href="${BASE_MARK}${paths.home()}">Open Errata</a>`
    : `<a class="out" href="${BASE_MARK}${paths.signIn()}">Sign in</a>`
  const whole = `<!DOCTYPE html>
<html lang="en"${themeAttribute}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Errata docs</title>
<link rel="icon" href="${ICON}">
${view.styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(withBasePath(href))}">`).join('\n')}
<script type="module" src="${escapeHtml(withBasePath(view.script))}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="${BASE_MARK}/docs">${MARK}<b>Errata</b> Docs</a>
<button type="button" class="open" popovertarget="pages">Contents</button>
<form role="search" action="${BASE_MARK}/docs/find"><input type="search" name="q" value="${escapeHtml(query)}" aria-label="Search the documentation" placeholder="Search" maxlength="200"></form>
${out}
</header>
<div class="columns">
<nav id="pages" class="pages" popover aria-label="Documentation">${handbook.groups.map((group) => groupHtml(group, page)).join('')}</nav>
<main id="main" tabindex="-1">${html}
<footer>Errata ${escapeHtml(handbook.version)}</footer></main>
</div>
</body>
</html>
`
  return whole.replaceAll(BASE_MARK, escapeHtml(basePath()))
}

function groupHtml({ title, links }: HandbookGroup, page: HandbookPage | null): string {
  const items = links.map(({ text, href, slug }) => {
    const isHere = page !== null && slug === page.slug
    const current = isHere ? ' aria-current="page"' : ''
    return `<li><a href="${escapeHtml(href)}"${current}>${escapeHtml(text)}</a>${isHere ? sectionsHtml(page) : ''}</li>`
  })
  return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`
}

/** Returns the list of the page's sections as HTML. */
function sectionsHtml({ sections }: HandbookPage): string {
  const own = sections.filter(({ depth }) => depth === 2)
  if (own.length < 2) return ''
  const items = own.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`)
  return `<ul class="sections">${items.join('')}</ul>`
}

/** The page before and the page behind, in the order of the list. */
function neighbourLinks(page: HandbookPage, { groups, pages }: Handbook): string {
  const slugs = ['', ...groups.flatMap(({ links }) => links.flatMap(({ slug }) => slug ?? []))]
  const order = [...new Set(slugs)]
  const at = order.indexOf(page.slug)
  if (at < 0) return ''
  const link = (slug: string | undefined, rel: 'prev' | 'next') => {
    const other = slug === undefined ? undefined : pages.find((each) => each.slug === slug)
    if (other === undefined) return ''
    const word = rel === 'prev' ? 'Previous' : 'Next'
    return `<a rel="${rel}" href="${escapeHtml(pagePath(other.slug, ''))}"><span>${word}</span> ${escapeHtml(other.title)}</a>`
  }
  return `<nav class="around" aria-label="Pages before and after">${link(order[at - 1], 'prev')}${link(order[at + 1], 'next')}</nav>`
}

const MARK =
  '<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><rect width="18" height="18" rx="4" fill="var(--ink)"/><path d="M5 12.8 9 5l4 7.8" fill="none" stroke="var(--canvas)" stroke-width="1.8" stroke-linecap="round"/></svg>'
