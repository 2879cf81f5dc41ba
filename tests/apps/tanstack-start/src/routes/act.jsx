import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import { moorBoat, sinkBoat } from '../boats'

export const Route = createFileRoute('/act')({ component: Act })

function Act() {
  const [said, setSaid] = useState('')
  return (
    <>
      <h1>Act</h1>
      <p id="said">{said}</p>
      <button type="button" id="sink" onClick={() => sinkBoat()}>
        sink
      </button>
      <button type="button" id="moor" onClick={() => moorBoat().then(setSaid)}>
        moor
      </button>
    </>
  )
}
