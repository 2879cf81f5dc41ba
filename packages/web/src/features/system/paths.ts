/** Addresses to which nothing outside of the feature leads. */
import { segment } from '#parts/paths.ts'

export const systemPaths = {
  quarantined: (seq: number) => `/system/quarantine/${segment(seq)}`,
  selfTestDocument: () => '/system/self-test/document',
  selfTestPageData: () => '/system/self-test/page-data',
  selfTestHandler: () => '/system/self-test/handler',
  systemSettings: () => '/system/server',
  selfTest: () => '/system/self-test',
} as const
