/** What an SDK itself left out: it leaves outcomes of the SDK and nothing else. */
import type { Kind } from '../kind.ts'
import { readClientReport } from './read.ts'

export const clientReport: Kind = { itemTypes: ['client_report'], read: readClientReport, stored: null }
