/** Client reports: what an SDK itself dropped. They leave outcomes of the SDK and nothing else. */
import type { Kind } from '../kind.ts'
import { readClientReport } from './read.ts'

export const clientReport: Kind = { itemTypes: ['client_report'], read: readClientReport, stored: null }
