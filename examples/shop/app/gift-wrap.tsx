'use client'

/** A chunk of its own. */
export default function GiftWrap() {
  return <span>Wrapped in green paper, with a ribbon.</span>
}
