/** Breadcrumbs as the JavaScript SDKs write them: clicks, navigations, fetches, console lines, Node's HTTP calls. */
import type { Dice } from './random.ts'
import { functionName, modulePath, NOUNS } from './words.ts'

export type Breadcrumb = Readonly<Record<string, unknown>> & { readonly timestamp: number }

export interface Trail {
  readonly side: 'browser' | 'node'
  readonly count: number
  /** Seconds since 1970 of the failure: the last crumb lies just before it. */
  readonly untilSeconds: number
}

export function makeBreadcrumbs(dice: Dice, { side, count, untilSeconds }: Trail): Breadcrumb[] {
  const crumbs: Breadcrumb[] = []
  let at = untilSeconds
  for (let index = 0; index < count; index++) {
    at -= dice.below(4_000) / 1_000
    const timestamp = Math.round(at * 1_000) / 1_000
    crumbs.unshift(side === 'browser' ? ofBrowser(dice, timestamp) : ofNode(dice, timestamp))
  }
  return crumbs
}

function ofBrowser(dice: Dice, timestamp: number): Breadcrumb {
  const noun = dice.pick(NOUNS)
  switch (dice.below(4)) {
    case 0:
      return {
        timestamp,
        category: 'ui.click',
        message: `body > div#root > main.page > section.${noun} > button.${dice.pick(NOUNS)}-action[type="submit"]`,
      }
    case 1: {
      const from = address(dice)
      return { timestamp, category: 'navigation', data: { from, to: address(dice) } }
    }
    case 2:
      return {
        timestamp,
        type: 'http',
        category: 'fetch',
        data: {
          method: dice.below(4) === 0 ? 'POST' : 'GET',
          url: `https://shop.example/api/${modulePath(dice.below(3_000))}?page=${dice.below(40)}`,
          __span: dice.hex(16),
          status_code: dice.below(12) === 0 ? 500 : 200,
          response_body_size: 200 + dice.below(40_000),
        },
      }
    default:
      return consoleLine(dice, timestamp)
  }
}

function ofNode(dice: Dice, timestamp: number): Breadcrumb {
  if (dice.below(3) === 0) return consoleLine(dice, timestamp)
  return {
    timestamp,
    category: 'http',
    data: {
      status_code: dice.below(12) === 0 ? 503 : 200,
      url: `http://${dice.pick(NOUNS)}s.internal:8080/v1/${modulePath(dice.below(3_000))}/${dice.below(1_000_000)}`,
      'http.method': dice.below(4) === 0 ? 'POST' : 'GET',
    },
    type: 'http',
  }
}

function consoleLine(dice: Dice, timestamp: number): Breadcrumb {
  const message = `${functionName(dice.below(4_000))} took ${dice.below(3_000)} ms for order ${dice.below(1_000_000)}`
  return {
    timestamp,
    category: 'console',
    data: { arguments: [message], logger: 'console' },
    level: dice.below(5) === 0 ? 'warning' : 'log',
    message,
  }
}

function address(dice: Dice): string {
  return `/${modulePath(dice.below(3_000))}/${dice.below(100_000)}`
}
