/** Addresses to which nothing outside of the feature leads. */
import { withQuery } from '#parts/paths.ts'

export const digestPaths = {
  digestOfText: (text: string) => withQuery('/digest', { text }),
} as const
