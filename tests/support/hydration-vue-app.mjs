/** Components of Vue that render something else in a browser than on a server. */
const AT = new Date('2026-11-21T14:05:00Z')

/** @param {{ h: Function, ref: Function, onMounted: Function }} vue  @param {'server' | 'browser'} side */
export function vueAppsOf({ h, ref, onMounted }, side) {
  const isServer = side === 'server'
  const Clock = {
    render() {
      const timeZone = isServer ? 'UTC' : undefined
      return h('time', { class: 'clock' }, AT.toLocaleTimeString('en-GB', { timeZone }))
    },
  }
  const Badge = {
    render: () =>
      isServer ? h('p', { class: 'badge' }, 'Sold out') : h('div', { class: 'badge' }, 'Last one'),
  }
  const Offers = {
    render: () =>
      h(
        'ul',
        null,
        (isServer ? ['Board', 'Knife', 'Bowl'] : ['Board', 'Bowl']).map((name) => h('li', null, name)),
      ),
  }
  /** Changes the page once it is mounted, as many components do. */
  const Stock = {
    setup() {
      const seen = ref(0)
      onMounted(() => seen.value++)
      const left = isServer ? 12 : 11
      return () =>
        h('div', null, [h('span', { class: 'stock' }, `${left} left`), h('i', null, `seen ${seen.value}`)])
    },
  }
  const Account = {
    render: () =>
      h('section', { 'data-csrf-token': 'ab12cd34ef' }, [
        h('textarea', { value: 'a letter to nobody' }),
        h('a', { href: '/account?mail=a' }, 'ana@shop.example'),
        h('em', null, isServer ? '3 orders' : '4 orders'),
      ]),
  }
  const buy = (part) => ({
    render: () =>
      h('main', null, [
        h('h1', null, 'Oak serving board'),
        h('div', { class: 'buy' }, [
          h('p', { class: 'price' }, '€ 24.90'),
          part(),
          h('button', null, 'Add to cart'),
        ]),
      ]),
  })
  return {
    same: buy(() => h('span', null, 'In stock')),
    text: buy(() => h(Clock)),
    node: buy(() => h(Badge)),
    children: buy(() => h(Offers)),
    mounted: buy(() => h(Stock)),
    account: buy(() => h(Account)),
  }
}
