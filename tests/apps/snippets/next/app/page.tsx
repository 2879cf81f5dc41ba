'use client'

export default function Page() {
  const fail = () => {
    throw new Error('the button of next fails')
  }
  return (
    <button type="button" onClick={fail}>
      Fail
    </button>
  )
}
