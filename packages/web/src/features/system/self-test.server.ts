/** Failures on purpose, one for each way Errata's own app can fail on the server. */
import { object } from 'valibot'
import { defineAction } from '#wire/define-action.ts'
import type { LoaderContext } from '#wire/types.ts'

class SelfTestFailure extends Error {
  override readonly name = 'SelfTestFailure'
}

export async function loadSelfTest({ url }: LoaderContext) {
  const digest = url.searchParams.get('digest')
  return {
    after: url.searchParams.get('after') === 'stale-build' ? ('stale-build' as const) : null,
    digest: digest !== null && /^\d{1,20}$/.test(digest) ? digest : null,
  }
}

export async function failDocument(): Promise<never> {
  throw new SelfTestFailure('Self-test: the loader of a document fails on purpose')
}

export async function failPageData(): Promise<never> {
  throw new SelfTestFailure('Self-test: the loader of a page-data request fails on purpose')
}

export async function failHandler(): Promise<never> {
  throw new SelfTestFailure('Self-test: a route handler fails on purpose')
}

export const failAction = defineAction('self-test.fail', 'operator', object({}), async (): Promise<never> => {
  throw new SelfTestFailure('Self-test: a server action fails on purpose')
})
