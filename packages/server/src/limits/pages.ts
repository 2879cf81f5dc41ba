/** Documents, page data and API calls: they share the thread that accepts envelopes, and come after those. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const PAGE_LIMITS = {
  heldActionMs: limit(
    900_000,
    'ms',
    'What somebody sent waits so long for them to confirm who they are, or to sign in again.',
  ),
  heldActionsMax: limit(
    200,
    'count',
    'So many wait for either at a time; further ones take the place of the oldest.',
  ),
  pagesRunningMax: limit(
    4,
    'count',
    'Pages and API calls answered at a time: enough to keep the stores busy.',
  ),
  pagePatienceMs: limit(
    200,
    'ms',
    'A page that takes longer waits for a store: it gives its turn to another, and goes on beside it.',
  ),
  pagesSlowMax: limit(128, 'count', 'Pages that go on so at a time; beyond it they keep their turns.'),
  pagesSlowPerSessionMax: limit(
    3,
    'count',
    'Of one session or token; its further pages begin when one of them is done.',
  ),
  pagesWaitingMax: limit(512, 'count', 'Pages and API calls waiting for that; beyond it 503.'),
  pagesPerAddressMax: limit(
    256,
    'count',
    'Of one address, running and waiting; beyond it 429. An office has one address.',
  ),
  pagesPerSessionMax: limit(
    32,
    'count',
    'The same of one session or token: more than a browser opens at a time.',
  ),
  pagesRetrySeconds: limit(
    2,
    'count',
    'Retry-After of both, in seconds: a full queue is answered in so long.',
  ),
  pagesRefusalMs: limit(
    1_000,
    'ms',
    'So long such a refusal is held: whoever asks again at once would cost more than the page.',
  ),
  waitPatienceMs: limit(
    400,
    'ms',
    'What a page waits for is asked of the store; one that does not say within this time is busy storing events.',
  ),
  waitsAskedMax: limit(
    256,
    'count',
    'Questions about that at a time, beside the queue of pages; of one session two, of one address 32.',
  ),
  pageTurnPatienceMs: limit(
    15,
    'ms',
    'A page is rendered while no envelope is being answered; under steady load, one in so long.',
  ),
  pagesKeptMax: limit(
    50,
    'count',
    'Pages for nobody in particular that are kept as rendered; the oldest go first.',
  ),
  pageKeptCharsMax: limit(32 * KIB, 'chars', 'A longer one is rendered every time.'),
  handbookQueryCharsMax: limit(
    200,
    'chars',
    'What is searched for in the documentation; the rest is passed over.',
  ),
  handbookWordsMax: limit(10, 'count', 'Words of such a search.'),
  handbookFoundMax: limit(40, 'count', 'Sections that it shows, the best.'),
  handbookHitsMax: limit(4, 'count', 'Sections that the palette shows below screens and issues.'),
  compressedBytesMin: limit(KIB, 'bytes', 'A smaller answer fits into the first packet as it is.'),
  compressedBytesMax: limit(16 * MIB, 'bytes', 'A larger answer is sent as it is.'),
} satisfies Readonly<Record<string, Limit>>
