/** Visitors of the shop, by browser. */

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const AGENTS = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0',
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
] as const

/** A request as the person's browser makes it; one that no browser made stays. */
export function requestBy(person: number, request: object): object {
  if (!('headers' in request) || typeof request.headers !== 'object' || request.headers === null)
    return request
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    name.toLowerCase() === 'user-agent' && String(value).startsWith('Mozilla/')
      ? AGENTS[person % AGENTS.length]
      : value,
  ])
  return { ...request, headers: Object.fromEntries(headers) }
}
