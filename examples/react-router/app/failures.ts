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

export const FAILURES: readonly Failure[] = [
  {
    ...{ id: 'document', by: 'document', href: '/fails/document' },
    title: 'A loader throws in a document',
    happens: 'The visitor gets an error page with a reference.',
    shows: 'one issue with the stack. Paste the reference into the search to find it.',
  },
  {
    ...{ id: 'navigation', by: 'link', href: '/fails/navigation' },
    title: 'A loader throws during navigation',
    happens: 'The browser is told “Unexpected Server Error”.',
    shows: 'the server’s error with its stack, and a failed page-data request.',
  },
  {
    ...{ id: 'late', by: 'document', href: '/fails/late' },
    title: 'A deferred loader is rejected',
    happens: 'The page is half there when its reviews throw.',
    shows: 'the failure as the browser was told of it: the server says nothing.',
  },
  {
    ...{ id: 'ssr-only', by: 'document', href: '/fails/ssr-only' },
    title: 'A component fails on the server only',
    happens: 'The server answers 500, with an error page.',
    shows: 'a failed document and its error.',
  },
  {
    ...{ id: 'action', by: 'press' },
    title: 'An action throws',
    happens: 'An order is placed, and the card is declined.',
    shows: 'a failed action, and its issue.',
  },
  {
    ...{ id: 'resource', by: 'press' },
    title: 'A resource route throws',
    happens: 'A discount code is checked by /api/discount, which answers 500.',
    shows: 'a failed route handler, and its issue.',
  },
  {
    ...{ id: 'prefetch', by: 'press' },
    title: 'A prefetch fails',
    happens: 'A link appears, and its data is fetched ahead.',
    shows: 'a prefetch. No navigation is counted.',
  },
  {
    ...{ id: 'slow', by: 'link', href: '/fails/slow' },
    title: 'A slow loader',
    happens: 'Your orders ask the database eighteen times.',
    shows: 'its waterfall; sixteen statements alike are called N+1.',
  },
  {
    ...{ id: 'stale-asset', by: 'press' },
    title: 'A stale tab loads a file that is gone',
    happens: 'The server knows no such asset, and the import fails.',
    shows: 'deploy skew, although browser and server both report it.',
  },
  {
    ...{ id: 'time-zone', by: 'document', href: '/fails/hydration/time-zone' },
    title: 'Hydration: another time zone',
    happens: 'Opening hours are in the server’s time, then in yours.',
    shows: 'both times side by side. Likely cause: time zone.',
  },
  {
    ...{ id: 'nesting', by: 'document', href: '/fails/hydration/nesting' },
    title: 'Hydration: invalid nesting',
    happens: 'A div stands within a p, and the browser moves it.',
    shows: 'what was sent and what was rendered. Likely cause: invalid nesting.',
  },
  {
    ...{ id: 'text', by: 'document', href: '/fails/hydration/text' },
    title: 'Hydration: another text',
    happens: 'The browser knows a name that the server doesn’t.',
    shows: 'both texts side by side.',
  },
  {
    ...{ id: 'client', by: 'press' },
    title: 'A click handler throws',
    happens: 'The total of the basket can’t be counted.',
    shows: 'an issue with readable frames.',
  },
  {
    ...{ id: 'component', by: 'press' },
    title: 'A component throws in the browser',
    happens: 'The page gives way to the error page.',
    shows: 'one issue of the browser.',
  },
  {
    ...{ id: 'rejection', by: 'press' },
    title: 'A promise is rejected',
    happens: 'Nobody catches it.',
    shows: 'an unhandled issue.',
  },
  {
    ...{ id: 'gone-data', by: 'link', href: '/fails/gone/data' },
    title: 'throw data(null, { status: 404 })',
    happens: 'The page doesn’t exist.',
    shows: 'no issue.',
  },
  {
    ...{ id: 'gone-response', by: 'document', href: '/fails/gone/response' },
    title: 'throw new Response(null, { status: 404 })',
    happens: 'The page doesn’t exist.',
    shows: 'no issue.',
  },
  {
    ...{ id: 'moved', by: 'link', href: '/fails/moved' },
    title: 'redirect()',
    happens: 'A loader sends you to another page.',
    shows: 'no issue.',
  },
]
