/** Part of grouping version 1. Objects as languages write them: what their fields hold varies, but where it names a cause. */

const CAUSE =
  /^(?:type|kind|code|errno|error|err|error_?code|sqlstate|reason|column|table|constraint|field|key|index|host|method|op|operation|service|command|topic|queue|parameter|module|class|function)$/i

/** `host='api.shop.test'` stays, `name='Bob'` does not. */
export function withoutText(match: string): string {
  const at = match.indexOf('=')
  const inside = match.slice(at + 2, -1)
  return CAUSE.test(match.slice(0, at)) && NAME.test(inside) ? match : `${match.slice(0, at)}=<quoted_str>`
}

/** `lines=[Line(sku=A)]` is `lines=<value>`. */
export function withoutLists(match: string): string {
  const at = match.indexOf('=')
  return TOLD.test(match.slice(0, at)) ? match : `${match.slice(0, at)}=<value>`
}

const NAME = /^[\w.:@/-]{1,80}$/
/** Lists of what was wrong. */
const TOLD = /(?:errors?|messages?|violations?|causes?|problems?|issues|missing|fields|keys|columns)$/i

/** `name=Anna` is `name=<value>`. */
export function withoutFields(match: string): string {
  const [, name = '', between = '', value = ''] = /^([\w.-]{1,40})( ?= ?)(.*)$/s.exec(match) ?? []
  if (CAUSE.test(name) || (/^status(?:_?code)?$/i.test(name) && /^[1-5]\d\d$/.test(value))) return match
  return `${name}${between}<value>`
}

/** `{ID:12 Name:Anna}` */
export function withoutGoFields(match: string): string {
  return match.replace(/([A-Z]\w{0,40}):[^\s{}]{0,100}/g, (field: string, name: string) =>
    CAUSE.test(name) ? field : `${name}:<value>`,
  )
}
