/**
 * Longest time that tests wait for a query of columns, longer than people would. A machine that runs all suites at once is no slow product, and
 * how fast queries are is measured by `npm run bench`.
 */
export const PATIENCE = { queryTimeoutMs: 120_000 } as const
