import { type NextRequest, NextResponse } from 'next/server'

/** Runs before pages. Two failures of the list happen here. */
export function proxy({ nextUrl, cookies }: NextRequest): NextResponse {
  if (nextUrl.pathname === '/fails/middleware') throw new Error('the visitor’s country is not known')
  // As after a deploy that removed the files of the build before.
  if (nextUrl.pathname.startsWith('/_next/static/chunks/') && cookies.has('chunks_removed'))
    return new NextResponse(null, { status: 404, headers: { 'cache-control': 'no-store' } })
  return NextResponse.next()
}

export const config = { matcher: ['/fails/middleware', '/_next/static/chunks/:path*'] }
