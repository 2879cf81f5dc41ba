/** Data of a rule's page. */
import type { loadRule, previewDraft } from './alerts.server.ts'

export type RuleData = Awaited<ReturnType<typeof loadRule>>
export type PreviewData = Awaited<ReturnType<typeof previewDraft>>
