import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/')({ component: Home })

function Home() {
  const fail = () => {
    throw new Error('the button of tanstack-start fails')
  }
  return (
    <button type="button" onClick={fail}>
      Fail
    </button>
  )
}
