import type { FrameParts } from '#wire/app-tables.ts'
import { FailurePage } from './failure-page.tsx'
import { Frame } from './frame.tsx'
import { RefusalPage } from './refusal-page.tsx'

export const frameParts: FrameParts = { Frame, FailurePage, RefusalPage }
