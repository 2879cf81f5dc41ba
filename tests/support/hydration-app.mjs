/** Components that render something else in a browser than on a server, for whatever React they are given. */
const AT = new Date('2026-11-21T14:05:00Z')

/** @param {{ createElement: Function, Suspense: unknown }} react  @param {'server' | 'browser'} side */
export function appsOf({ createElement: h, Suspense }, side) {
  const isServer = side === 'server'
  function Clock() {
    const timeZone = isServer ? 'UTC' : undefined
    return h('time', { className: 'clock' }, AT.toLocaleTimeString('en-GB', { timeZone }))
  }
  function Voucher() {
    return h('b', null, 'Voucher ', `${Math.random().toString(36).slice(2, 10)}4x`)
  }
  function Teaser() {
    return h('p', { className: 'teaser' }, h('div', null, 'Free delivery'))
  }
  function StockBadge() {
    const left = isServer ? 12 : 11
    return h('span', { className: 'stock', 'data-low': String(left < 12) }, left, ' left')
  }
  function Account() {
    return h(
      'section',
      { 'data-csrf-token': isServer ? 'ab12cd34ef' : 'ff99ee88dd', className: 'account' },
      h('input', { type: 'password', name: 'password', defaultValue: 'correct horse' }),
      h('textarea', { defaultValue: 'a letter to nobody' }),
      h('a', { href: `/account?mail=${isServer ? 'a' : 'b'}` }, 'ana@shop.example'),
      h('i', null, '4111 1111 1111 1111'),
      h('em', null, isServer ? '3 orders' : '4 orders'),
    )
  }
  const buy = (badge) =>
    h(
      'main',
      null,
      h('h1', null, 'Oak serving board'),
      h(
        'div',
        { className: 'buy' },
        h('p', { className: 'price' }, '€ 24.90'),
        badge,
        h('button', { type: 'button' }, 'Add to cart'),
      ),
    )
  return {
    same: buy(h('span', null, 'In stock')),
    clock: buy(h(Clock)),
    random: buy(h(Voucher)),
    nesting: buy(h(Teaser)),
    stock: buy(h(StockBadge)),
    account: buy(h(Account)),
    late: buy(h(Suspense, { fallback: 'Loading' }, h(StockBadge))),
    document: h(
      'html',
      { lang: 'en' },
      h('head', null, h('title', null, 'Shop')),
      h('body', null, buy(h(StockBadge)), h('script', { src: '/app.js', async: true })),
    ),
  }
}
