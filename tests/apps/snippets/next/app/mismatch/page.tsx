'use client'

export default function Page() {
  return <p>{typeof window === 'undefined' ? '12 left' : '11 left'}</p>
}
