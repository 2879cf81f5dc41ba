/** Lists, searches and pasted text, on screens and in the web API. */
import { type Limit, limit } from './limit.ts'

export const SCREEN_LIMITS = {
  pageRowsDefault: limit(25, 'count', 'Rows of a list.'),
  pageRowsMax: limit(100, 'count', 'Rows of a list at most.'),
  searchCharsMax: limit(1_000, 'chars', 'A search line.'),
  searchTermsMax: limit(30, 'count', 'Terms of a search; each value of a list is one.'),
  searchDepthMax: limit(5, 'levels', 'Parentheses within parentheses of a search.'),
  searchStarsMax: limit(5, 'count', 'Stars in one value of a search: each is another place to try.'),
  groupsMatchingMax: limit(
    5_000,
    'count',
    'Groups a search may take from the events; beyond it people narrow it.',
  ),
  digestPasteCharsMax: limit(20_000, 'chars', 'A pasted error page.'),
  digestsPerPasteMax: limit(10, 'count', 'Digests looked up from one paste.'),
} satisfies Readonly<Record<string, Limit>>
