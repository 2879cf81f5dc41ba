import { redirect } from 'next/navigation'

export default function MovedPage() {
  redirect('/products/assam')
}
