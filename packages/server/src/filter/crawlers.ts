/**
 * Whether an event was caused by a crawler. `isbot` knows their user agents, but takes everything for a bot that is
 * no browser a person sits at: the SDKs themselves, HTTP clients of other services and the headless browsers of
 * tests. Those are no crawlers: their failures are the app's own.
 */
import { isbot } from 'isbot'
import type { NormalizedEvent } from '#model/event.ts'

const CHARS_MAX = 512

/** Clients of services, and browsers that tests drive. Anchored, or single words: linear. */
const PROGRAMS = new RegExp(
  [
    // SDKs and relays that send events.
    '^(?:sentry|raven|otel|errata)\\b',
    // HTTP clients of runtimes and libraries.
    '^(?:node|deno|bun|undici|axios|got|ky|superagent|needle|request)(?:[-/ (]|$)',
    '^(?:python|aiohttp|httpx|requests|ruby|faraday|rest-client|php|guzzle|symfony)',
    '^(?:java|apache-httpclient|jetty|okhttp|reactornetty|jersey|ktor|feign|unirest|vert\\.x)',
    '^(?:go-http-client|go-resty|dart|reqwest|hyper|grpc|libcurl|curl|wget|httpie|restsharp|\\.net)',
    '^(?:postmanruntime|insomnia|bruno|k6|artillery|cfnetwork|alamofire|dalvik)',
    // Browsers without a window.
    'headless|playwright|puppeteer|cypress|selenium|jsdom|phantomjs|electron/',
  ].join('|'),
  'i',
)

/** Names that may be said: everything else a user agent holds is the visitor's. */
const KNOWN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/googlebot|google-|mediapartners|adsbot|apis-google/i, 'Google'],
  [/bingbot|bingpreview|msnbot/i, 'Bing'],
  [/applebot/i, 'Apple'],
  [/yandex/i, 'Yandex'],
  [/baidu/i, 'Baidu'],
  [/duckduck/i, 'DuckDuckGo'],
  [/facebook|meta-external/i, 'Meta'],
  [/gptbot|oai-searchbot|chatgpt/i, 'OpenAI'],
  [/ahrefs/i, 'Ahrefs'],
  [/semrush/i, 'Semrush'],
  [/slack/i, 'Slack'],
  [/lighthouse/i, 'Lighthouse'],
]

/**
 * The crawler's name, or `another crawler`; `null` where the event's user agent is none. `sender` is the user agent
 * of the request that brought the event: a browser's own, unless the event names one.
 */
export function crawlerIn({ request, platform }: NormalizedEvent, sender: string | null): string | null {
  const own = request?.headers?.find(([name]) => name === 'User-Agent')?.[1]
  const agent = (own ?? (platform === 'javascript' ? sender : null))?.trim().slice(0, CHARS_MAX) ?? ''
  if (agent === '' || !isbot(agent) || PROGRAMS.test(agent)) return null
  return KNOWN.find(([pattern]) => pattern.test(agent))?.[1] ?? 'another crawler'
}
