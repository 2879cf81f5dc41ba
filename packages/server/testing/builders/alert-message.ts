/** A message of an alert, with what a test cares about. */
import type { AlertMessage } from '#model/alert-message.ts'
import { NOW } from './times.ts'

export function anAlert(over: Partial<AlertMessage> = {}): AlertMessage {
  return {
    ...{ atMs: NOW, moment: 'fired', level: 'info' },
    organisation: { slug: 'acme', name: 'Acme' },
    project: { slug: 'shop', name: 'Shop' },
    rule: { id: 1, name: 'Regressed issue' },
    headline: 'Regressed: TypeError in OrderTotals',
    because: 'a resolved issue came back',
    ...{ issue: null, metric: null, gathered: null, story: 'issue-1' },
    ...over,
  }
}
