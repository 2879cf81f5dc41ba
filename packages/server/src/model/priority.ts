/** How urgent an issue is, most urgent first. */
export const PRIORITIES = ['high', 'medium', 'low'] as const

export type Priority = (typeof PRIORITIES)[number]
