export default function Home() {
  const fail = () => {
    throw new Error('the button of react-router fails')
  }
  return (
    <button type="button" onClick={fail}>
      Fail
    </button>
  )
}
