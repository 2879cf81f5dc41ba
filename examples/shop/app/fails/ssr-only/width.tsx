'use client'

export function Width() {
  const width = typeof window === 'undefined' ? widthOf(undefined) : widthOf(window)
  return <p>Your window is {width} pixels wide.</p>
}

function widthOf(of: { readonly innerWidth: number } | undefined): number {
  if (of === undefined) throw new ReferenceError('a window is needed for its width')
  return of.innerWidth
}
