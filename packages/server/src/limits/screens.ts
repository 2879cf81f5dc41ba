/** Lists, searches and pasted text, on screens and in the web API. */
import { type Limit, limit } from './limit.ts'

export const SCREEN_LIMITS = {
  pageRowsDefault: limit(25, 'count', 'Rows of a list.'),
  pageRowsMax: limit(100, 'count', 'Rows of a list at most.'),
  choicesMax: limit(
    20,
    'count',
    'Projects, teams or people that are offered for choosing; others are found by typing.',
  ),
  nearNamesMax: limit(
    500,
    'count',
    'Members, or teams, among whose names the palette looks for what is near a typed text.',
  ),
  findCharsMax: limit(100, 'chars', 'What is typed to find one of them.'),
  searchCharsMax: limit(1_000, 'chars', 'A search line.'),
  listAddressCharsMax: limit(
    6_000,
    'chars',
    'Address of a list of the web API: its answer repeats it twice in one header, and clients of Node take 16 KiB of those.',
  ),
  tagKeysListedMax: limit(1_000, 'count', 'Keys of tags that the web API lists, in alphabetical order.'),
  searchTermsMax: limit(30, 'count', 'Terms of a search; each value of a list is one.'),
  searchDepthMax: limit(5, 'levels', 'Parentheses within parentheses of a search.'),
  searchStarsMax: limit(5, 'count', 'Stars in one value of a search: each is another place to try.'),
  groupsMatchingMax: limit(
    20_000,
    'count',
    'Groups a search may take from the events, 1 MB; beyond it people narrow it.',
  ),
  matchingEventsBudgetMs: limit(
    1_500,
    'ms',
    'Counting the events that a search matches; beyond it tags of issues answer, and the list says so.',
  ),
  matchingPeopleMax: limit(
    50_000,
    'count',
    'People of a page that are told apart; beyond it they are estimated.',
  ),
  searchesPerPersonMax: limit(50, 'count', 'Searches a person keeps for themselves.'),
  shareDaysDefault: limit(
    90,
    'days',
    'A link to a shared issue opens it for so long, unless something else is chosen.',
  ),
  shareDaysMax: limit(365, 'days', 'The longest that can be chosen, beside “until it is revoked”.'),
  searchesSharedMax: limit(100, 'count', 'Saved searches that an organisation shares.'),
  issueMarkdownCharsMax: limit(60_000, 'chars', 'An issue as Markdown; whole sections are left out beyond.'),
  sharedReadsPerAddress: limit(60, 'count', 'Times one address reads shared issues in a minute.'),
  sharedReadsPerLink: limit(300, 'count', 'Times one link is read in a minute.'),
  sharedReadsWindowMs: limit(60_000, 'ms', 'Window of the two limits above.'),
  sharedViewKeptMs: limit(10_000, 'ms', 'What a link shows is read again after so long.'),
  sharedViewsKeptMax: limit(20, 'count', 'Links whose page is kept for that.'),
  digestPasteCharsMax: limit(20_000, 'chars', 'A pasted error page.'),
  digestsPerPasteMax: limit(10, 'count', 'Digests looked up from one paste.'),
  shownIdEventsMax: limit(
    50,
    'count',
    'Events that an id of an error page may lead to; what more have is no id of an error.',
  ),
} satisfies Readonly<Record<string, Limit>>
