export const dynamic = 'force-dynamic'

export function GET(request: Request): Response {
  const code = new URL(request.url).searchParams.get('code')
  throw new RangeError(`no discount has the code ${code}`)
}
