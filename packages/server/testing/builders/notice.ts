import { digest, projectId, readEventId } from '#base/ids.ts'
import type { Notice, NoticeIssue } from '#ports/notices.ts'
import { NOW } from './times.ts'

export function anIssue(change: Partial<NoticeIssue> = {}): NoticeIssue {
  return {
    number: 12,
    shortId: 'SHOP-12',
    title: 'TypeError: total is undefined',
    culprit: 'app/cart.ts in total',
    level: 'error',
    eventCount: 1_284,
    userCount: 3,
    firstSeenMs: NOW,
    lastSeenMs: NOW,
    requestKind: 'action',
    route: '/orders/[id]',
    digest: digest('2674428404'),
    isMirror: false,
    release: 'shop@2.0.1',
    environment: 'production',
    eventId: readEventId('1'.repeat(32)),
    traceId: '2'.repeat(32),
    ...change,
  }
}

export function aNotice(change: Partial<Notice> = {}): Notice {
  return {
    id: 1,
    kind: 'new',
    atMs: NOW,
    organisation: 'acme',
    project: { id: projectId(7), slug: 'shop', name: 'Shop' },
    issue: anIssue(),
    rest: null,
    ...change,
  }
}
