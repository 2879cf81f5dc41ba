/** A message of an alert, with what a test cares about. */
import { digest } from '#base/ids.ts'
import type { AlertIssue, AlertMessage } from '#model/alert-message.ts'
import { NOW } from './times.ts'

export function anAlert(over: Partial<AlertMessage> = {}): AlertMessage {
  return {
    ...{ atMs: NOW, moment: 'fired', level: 'info' },
    organisation: { slug: 'acme', name: 'Acme' },
    project: { slug: 'shop', name: 'Shop' },
    rule: { id: 1, name: 'Regressed issue' },
    headline: 'Regressed: TypeError in OrderTotals',
    because: 'a resolved issue regressed',
    ...{ issue: null, metric: null, gathered: null, story: 'issue-1' },
    ...over,
  }
}

export function anAlertIssue(over: Partial<AlertIssue> = {}): AlertIssue {
  return {
    ...{ shortId: 'SHOP-12', title: 'TypeError: total is undefined', function: 'OrderTotals' },
    ...{ place: 'app/orders/[id]/totals.tsx:41', culprit: '/orders/[id]', level: 'error' },
    kinds: ['document', 'page-data'],
    ...{ route: '/orders/[id]', environment: 'production', release: '2026.11.20-2' },
    ...{ firstRelease: '2026.11.20-2', digest: digest('2674428404'), eventId: null },
    ...{ traceId: 'ab'.repeat(16), eventCount: 1_284, userCount: 612, firstSeenMs: NOW, lastSeenMs: NOW },
    ...{ assignee: null, suspect: 'c41f9e2 by Rosa Kim' },
    ...over,
  }
}
