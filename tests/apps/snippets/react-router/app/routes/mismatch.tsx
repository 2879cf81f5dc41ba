export default function Mismatch() {
  return <p>{typeof window === 'undefined' ? '12 left' : '11 left'}</p>
}
