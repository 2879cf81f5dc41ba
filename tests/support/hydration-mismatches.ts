/** Mismatches that the helper must catch on each page of `hydration-app.mjs`, whichever React runs it. */
export const MISMATCHES: readonly {
  readonly name: string
  readonly server: RegExp
  readonly client: RegExp
  readonly component: string
  /** Cause that Errata should name. */
  readonly cause: string
}[] = [
  {
    name: 'clock',
    server: /^<div class="buy">[\s\S]*>\n {4}14:05:00\n/,
    client: /\n {4}15:05:00\n/,
    component: 'Clock',
    cause: 'time_zone',
  },
  {
    name: 'random',
    server: /Voucher [\w.]{8,}/,
    client: /Voucher [\w.]{8,}/,
    component: 'Voucher',
    cause: 'render_time',
  },
  {
    name: 'nesting',
    server: /<p class="teaser"><\/p>\n {2}<div>\n {4}Free delivery/,
    client: /<p class="teaser">\n {4}<div>\n {6}Free delivery/,
    component: 'Teaser',
    cause: 'nesting',
  },
  {
    name: 'stock',
    server: /data-low="false">\n {4}12 left\n[\s\S]*<button type="button">Add to cart<\/button>/,
    client: /data-low="true">\n {4}11 left\n[\s\S]*<button type="button">Add to cart<\/button>/,
    component: 'StockBadge',
    cause: 'changed_data',
  },
  {
    name: 'late',
    server: /\n {4}12 left\n/,
    client: /\n {4}11 left\n/,
    component: 'StockBadge',
    cause: 'changed_data',
  },
  {
    name: 'document',
    server: /^<div class="buy">[\s\S]*12 left/,
    client: /^<div class="buy">[\s\S]*11 left/,
    component: 'StockBadge',
    cause: 'changed_data',
  },
]

/** The same of `hydration-vue-app.mjs`; Vue's production builds keep no names of components. */
export const VUE_MISMATCHES: readonly {
  readonly name: string
  readonly server: RegExp
  readonly client: RegExp
}[] = [
  { name: 'text', server: /14:05:00/, client: /15:05:00/ },
  { name: 'node', server: /<p class="badge">\s*Sold out/, client: /<div class="badge">\s*Last one/ },
  { name: 'children', server: /Knife/, client: /Bowl/ },
  { name: 'mounted', server: /12 left/, client: /11 left/ },
]
