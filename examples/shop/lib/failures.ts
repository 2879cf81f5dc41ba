export interface Failure {
  readonly id: string
  readonly title: string
  /** What happens. */
  readonly happens: string
  /** What Errata shows of it. */
  readonly shows: string
  /** A document is loaded, a link followed within the app, or a button pressed. */
  readonly by: 'document' | 'link' | 'press'
  readonly href?: string
}

export interface Group {
  readonly name: string
  readonly failures: readonly Failure[]
}

const SERVER: Group = {
  name: 'On the server',
  failures: [
    {
      ...{ id: 'document', by: 'document', href: '/fails/document' },
      title: 'A page throws while it renders',
      happens: 'The visitor gets an error page with a number.',
      shows: 'one issue with the stack. Paste the number into the search to find it.',
    },
    {
      ...{ id: 'navigation', by: 'link', href: '/fails/navigation' },
      title: 'A Server Component throws during navigation',
      happens: 'The same, but the server answers 200.',
      shows: 'a failed page-data request behind a 200, and its issue.',
    },
    {
      ...{ id: 'late', by: 'document', href: '/fails/late' },
      title: 'A Suspense boundary fails late',
      happens: 'The page is half there when its reviews throw.',
      shows: 'a document that answered 200 and failed, joined with its error.',
    },
    {
      ...{ id: 'ssr-only', by: 'document', href: '/fails/ssr-only' },
      title: 'A component fails on the server only',
      happens: 'The browser renders it again, and nobody notices.',
      shows: 'the server’s error, and a document that failed behind a 200.',
    },
    {
      ...{ id: 'action', by: 'press' },
      title: 'A server action throws',
      happens: 'An order is placed, and the card is declined.',
      shows: 'a failed action called placeOrder, and its issue.',
    },
    {
      ...{ id: 'dropped-action', by: 'press' },
      title: 'A server action throws, and nobody waits for it',
      happens: 'Nothing is seen on the page.',
      shows: 'the server’s error; the browser’s rejected promise belongs to it.',
    },
    {
      ...{ id: 'route-handler', by: 'press' },
      title: 'A route handler throws',
      happens: 'A discount code is checked by /api/discount, which answers 500.',
      shows: 'a failed route handler, and its issue.',
    },
    {
      ...{ id: 'edge', by: 'press' },
      title: 'A route of the edge runtime throws',
      happens: '/api/edge answers 500.',
      shows: 'an issue from the edge runtime.',
    },
    {
      ...{ id: 'middleware', by: 'document', href: '/fails/middleware' },
      title: 'The proxy (middleware) throws',
      happens: 'The page is never reached.',
      shows: 'an issue of the proxy, before any page.',
    },
    {
      ...{ id: 'prefetch', by: 'press' },
      title: 'A prefetch fails',
      happens: 'A link appears, and Next.js fetches its page ahead.',
      shows: 'a prefetch. No page load and no navigation is counted.',
    },
    {
      ...{ id: 'classic', by: 'document', href: '/classic' },
      title: 'The Pages Router fails',
      happens: 'Two buttons there: getServerSideProps throws in a document, and in page data.',
      shows: 'one issue with a failed document and a failed page-data request.',
    },
    {
      ...{ id: 'slow', by: 'link', href: '/fails/slow' },
      title: 'A slow page',
      happens: 'Your orders ask the database eighteen times.',
      shows: 'its waterfall; sixteen statements alike are called N+1.',
    },
  ],
}

const DEPLOY: Group = {
  name: 'After a deploy',
  failures: [
    {
      ...{ id: 'stale-action', by: 'press' },
      title: 'A stale tab calls an action that is gone',
      happens: 'The server answers that it doesn’t know the action.',
      shows: 'deploy skew, not a bug of your code.',
    },
    {
      ...{ id: 'missing-chunk', by: 'press' },
      title: 'A stale tab loads a chunk that is gone',
      happens: 'The gift wrapping’s script answers 404.',
      shows: 'deploy skew, cause: chunk.',
    },
  ],
}

const HYDRATION: Group = {
  name: 'Hydration',
  failures: [
    {
      ...{ id: 'time-zone', by: 'document', href: '/fails/hydration/time-zone' },
      title: 'Another time zone',
      happens: 'Opening hours are in the server’s time, then in yours.',
      shows: 'both times side by side. Likely cause: time zone.',
    },
    {
      ...{ id: 'random', by: 'document', href: '/fails/hydration/random' },
      title: 'A random number',
      happens: 'Both sides draw one.',
      shows: 'both numbers side by side.',
    },
    {
      ...{ id: 'nesting', by: 'document', href: '/fails/hydration/nesting' },
      title: 'Invalid nesting',
      happens: 'A div stands within a p, and the browser moves it.',
      shows: 'what was sent and what was rendered. Likely cause: invalid nesting.',
    },
    {
      ...{ id: 'text', by: 'document', href: '/fails/hydration/text' },
      title: 'Another text',
      happens: 'The browser knows a name that the server doesn’t.',
      shows: 'both texts side by side.',
    },
  ],
}

const BROWSER: Group = {
  name: 'In the browser',
  failures: [
    {
      ...{ id: 'client', by: 'press' },
      title: 'A click handler throws',
      happens: 'The total of the basket can’t be counted.',
      shows: 'an issue with readable frames.',
    },
    {
      ...{ id: 'component', by: 'press' },
      title: 'A component throws in the browser',
      happens: 'The page gives way to the error page, without a number.',
      shows: 'one issue of the browser.',
    },
    {
      ...{ id: 'rejection', by: 'press' },
      title: 'A promise is rejected',
      happens: 'Nobody catches it.',
      shows: 'an unhandled issue.',
    },
    {
      ...{ id: 'caught', by: 'press' },
      title: 'An error is caught and reported',
      happens: 'The app goes on.',
      shows: 'a handled issue.',
    },
  ],
}

const NO_FAILURE: Group = {
  name: 'No failure at all',
  failures: [
    {
      ...{ id: 'moved', by: 'link', href: '/fails/moved' },
      title: 'redirect()',
      happens: 'A page sends you to another one.',
      shows: 'no issue.',
    },
    {
      ...{ id: 'gone', by: 'document', href: '/fails/gone' },
      title: 'notFound()',
      happens: 'The page doesn’t exist.',
      shows: 'no issue; a document with 404 that isn’t counted as failed.',
    },
    {
      ...{ id: 'action-redirect', by: 'press' },
      title: 'An action redirects',
      happens: 'A form is sent, and you land on a product.',
      shows: 'no issue; an action that worked.',
    },
    {
      ...{ id: 'aborted', by: 'press' },
      title: 'A navigation is aborted',
      happens: 'You go to a slow page and change your mind.',
      shows: 'no issue.',
    },
  ],
}

export const GROUPS: readonly Group[] = [SERVER, DEPLOY, HYDRATION, BROWSER, NO_FAILURE]
