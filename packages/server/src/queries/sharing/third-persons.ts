/**
 * Names of people whom no field of an event names: behind a title or a role, in a greeting, under the name of a field, and as
 * scripts without capitals part them. A public page loses a word too many rather than a person too few. Pure.
 */

const NAME_OF_CAPITALS = String.raw`\p{Lu}[\p{Ll}\p{M}'’]{1,30}(?:-\p{Lu}[\p{Ll}\p{M}]{1,30})?`
const PARTICLE = `(?:(?:von|van|de|der|den|del|della|da|dos|di|la|le|bin|ibn|al|el|zu|ter|Mc|Mac|O') ?){1,2}`
const NAME = String.raw`(?:${PARTICLE} ?)?(?:${NAME_OF_CAPITALS}|\p{Lu}\.)(?: (?:${PARTICLE})?(?:${NAME_OF_CAPITALS}|\p{Lu}\.)){0,3}`
/** Titles, and what people are to an app, in languages with capitals. */
const TITLES =
  'Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Herr|Herrn|Frau|Monsieur|Madame|Mme|Mlle|Señora?|Sra?|Srta|Don|Doña|Signora?|Sig|Dott|Senhora?|Pan|Pani|Panie|Meneer|Mevrouw|Dhr|Mevr|Bay|Bayan|Господин|Госпожа|Пан|Пані|Κύριος|Κυρία|Hr|Fru|Fr'
const GREETINGS =
  'Hello|Hi|Hey|Dear|Hallo|Liebe[r]?|Guten Tag|Moin|Bonjour|Salut|Ch[eè]re?|Hola|Estimad[oa]|Querid[oa]|Ciao|Car[oa]|Gentile|Olá|Prezad[oa]|Привет|Здравствуйте|Уважаем(?:ый|ая)|Дорог(?:ой|ая)|Hej|Kære|Kära|Cześć|Drogi|Droga|Szanown[yae]|Ahoj|Beste|Geachte|Merhaba|Sayın|Γεια|Αγαπητ(?:έ|ή)'
const ROLES =
  'customer|user|client|patient|guest|member|employee|student|teacher|driver|passenger|buyer|seller|tenant|landlord|owner|recipient|sender|contact|applicant|candidate|subscriber|participant|attendee|author|payer|payee|cardholder|beneficiary|kunde|kundin|nutzer(?:in)?|benutzer(?:in)?|mitglied|patient(?:in)?|mieter(?:in)?|empfänger(?:in)?|absender(?:in)?|fahrer(?:in)?|utilisat(?:eur|rice)|cliente?|clienta|usuari[oa]|paciente?|utente|paziente|usuári[oa]|klant|gebruiker|klient|użytkownik|kund|bruker|bruger|användare|zákazník|müşteri|kullanıcı|клиент[а-я]{0,3}|пользовател[а-я]{1,3}|покупател[а-я]{1,3}|пациент[а-я]{0,3}|заказчик[а-я]{0,3}|клієнт[а-я]{0,3}|користувач[а-я]{0,3}|πελάτης|χρήστης'
const MARK = `(?:named |called |namens |nommée? |llamad[oa] |chiamat[oa] )?["'“„«:=(]{0,2} ?["'“„«]?`

const BEHIND_TITLE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])((?:${TITLES})\.? |(?:${GREETINGS}),? (?:(?:${TITLES})\.? )?)(${NAME})`,
  'gu',
)
/** Apart from the name behind it, whose capitals count: an inline modifier goes astray once V8 compiled it anew. */
const ROLE = new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${ROLES}) ${MARK}`, 'giu')
const NAME_HERE = new RegExp(NAME, 'uy')
/** Words behind a role that are no name: `User Agent`, `Client Error`. */
const OF_PROGRAMS =
  /^(?:Id|Ids|Agent|Not|Name|Names|Service|Services|Error|Errors|Model|Account|Accounts|Group|Groups|Role|Roles|Data|Profile|Profiles|Settings|Login|Logout|Type|Types|Session|Sessions|Interface|Manager|Controller|Repository|Portal|Has|Is|Was|Does|Did|Can|Could|Must|Should|Will|With|Without|From|For|And|Or|In|On|At|To|Of|By|As|The|An|Already|Exists?|Found|Missing|Invalid|Deleted|Created|Updated|Disabled|Blocked|Email|Address|Phone|Password|Token|Request|Response|Timeout|Side|Server|Component|Components|Library|Version|Credentials|Certificate|Store|State|Schema|Table|Record|Records|Object|Property|Permission|Permissions|Access|Action|Actions|Event|Events|List|Details?|Info|Information|Support|Center|Journey|Story|Input|Output|Status|Code|Country|City|Number|Order|Orders|Created?|Experience|Management|Guide|Preferences?|Notifications?|Hook|Context|Provider|Factory|Handler|Exception|Null|Undefined|None|True|False|Test|Admin|Root|Guest|Unknown|Anonymous|Unauthorized|Forbidden|Closed|Disconnected|Connected|Aborted|Cancelled|Canceled|Denied|Failed|Rejected|Expired)$/

const NAME_FIELDS =
  'first|last|full|display|given|family|middle|customer|user|contact|recipient|sender|billing|shipping|card_?holder|account_?holder|holder|owner|patient|sur|nick|real|legal|employee|guest|driver|passenger|author|buyer|seller|payer|beneficiary|maiden|vor|nach|anzeige'
const FIELD = new RegExp(
  String.raw`(\b(?:${NAME_FIELDS})[_ -]?name["']?\s{0,2}[:=]\s{0,2}["'“„«]?)((?:[^"'“”„«»\n,;{}[\]<>=&]|'(?=\p{L})){2,60})`,
  'giu',
)
/** Spelling of a name; of what stands behind no quote and is spelled otherwise, most is code. */
const AS_NAME = /^(?:\p{Lu}|[^\0-\x7f])/u
const PLAIN_FIELD = new RegExp(
  String.raw`((?<![\p{L}\p{N}_.-])(?:[Nn]ame|NAME|[Ff]io|FIO|[Фф]ио|ФИО|[Ии]мя|ИМЯ|[Фф]амилия|ФАМИЛИЯ|姓名|名前|氏名|이름|성명|الاسم|שם)["']?\s{0,2}[:=：]\s{0,2}["'“„«]?)(${NAME_OF_CAPITALS}(?: (?:${PARTICLE})?${NAME_OF_CAPITALS}){1,3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,8}|[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]{2,20}(?: [\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]{2,20}){0,3})`,
  'gu',
)

/** Names before a word of respect, and behind one for what somebody is, in scripts without capitals. */
const BEFORE_RESPECT =
  /(?<![\p{Script=Han}])[\p{Script=Han}]{2,4}(?=(?:さん|様|さま|氏|君|ちゃん|先生|女士|小姐|老师|經理|经理))|[\p{Script=Katakana}ー・]{2,12}(?=さん|様|さま|氏)|(?<!\p{Script=Hangul})\p{Script=Hangul}{2,4}(?= ?(?:님|씨)(?!\p{Script=Hangul}{2}))/gu
const BEHIND_WORD =
  /((?:用户|用戶|客户|客戶|顧客|会员|會員|患者|收件人|买家|賣家|卖家|ユーザー|お客様|会員|고객|사용자|회원|환자)(?:名|姓名)?\s?[:：「『"“(（]?\s?)([\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}]{2,4})(?=的|[\s,，。.:：」』"”)）]|は|が|の|を|에|의|이|가|은|는|님|$)/gu
const BEHIND_WORD_OF_LETTERS =
  /((?:السيد|السيدة|العميل|المستخدم|الزبون|المريض|לקוח|הלקוח|משתמש|המשתמש|מר|גברת|श्री|श्रीमती|ग्राहक|उपयोगकर्ता|คุณ|นาย|นาง|นางสาว|ลูกค้า|ผู้ใช้)[ :]{0,2})([\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}\p{M}]{2,24}(?: (?!(?:غير|في|من|على|לא|של|नहीं|ไม่))[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{M}]{2,24})?)/gu
/** Two words with capitals in scripts in which programs write no titles: `Пётр Иванов`; or a father's name. */
const TWO_CAPITALS =
  /(?<![\p{L}\p{N}]|[.!?] )(?:\p{Lu}(?:[\p{Script=Cyrillic}]{1,30}) ){1,2}(?=\p{Script=Cyrillic})\p{Lu}\p{Script=Cyrillic}{1,30}|(?<![\p{L}\p{N}])(?=\p{Script=Greek})\p{Lu}\p{Script=Greek}{2,30} (?=\p{Script=Greek})\p{Lu}\p{Script=Greek}{2,30}|(?<![\p{L}\p{N}])(?=\p{Script=Cyrillic})\p{Lu}\p{Script=Cyrillic}{1,20} \p{Lu}\p{Script=Cyrillic}{3,20}(?:вич|вна|ична)[\p{Ll}]{0,2}(?: \p{Lu}\p{Script=Cyrillic}{2,24})?/gu

const USER = '[user]'

/** Returns the text without whoever it calls by name. */
export function withoutThirdPersons(text: string): string {
  if (!/\p{L}{2}/u.test(text)) return text
  let left = withoutNamesBehindRoles(text.replaceAll(BEHIND_TITLE, (_, before: string) => before + USER))
    .replaceAll(FIELD, (whole: string, before: string, name: string) =>
      /^(?:null|undefined|none|true|false|string|\[user\]|\[email\]|\d+)$/i.test(name.trim()) ||
      !/\p{L}/u.test(name) ||
      !(/["'“„«]$/.test(before) || AS_NAME.test(name))
        ? whole
        : before + USER,
    )
    .replaceAll(PLAIN_FIELD, (_, before: string) => before + USER)
  // Beyond Latin.
  if (!/[\u0370-\uffff]/.test(left)) return left
  left = left
    .replaceAll(BEHIND_WORD, (_, before: string) => before + USER)
    .replaceAll(BEHIND_WORD_OF_LETTERS, (_, before: string) => before + USER)
    .replaceAll(BEFORE_RESPECT, USER)
  return left.replaceAll(TWO_CAPITALS, USER)
}

function withoutNamesBehindRoles(text: string): string {
  let out = ''
  let copied = 0
  for (const { 0: role, index } of text.matchAll(ROLE)) {
    const start = index + role.length
    NAME_HERE.lastIndex = start
    const name = NAME_HERE.exec(text)?.[0]
    if (name === undefined || start < copied) continue
    const words = name.split(' ')
    const first = words.findIndex((word) => OF_PROGRAMS.test(word))
    if (first === 0) continue
    out += text.slice(copied, start) + USER + (first === -1 ? '' : ` ${words.slice(first).join(' ')}`)
    copied = start + name.length
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** Mailboxes of nobody. */
const NOBODYS =
  /^(?:info|support|admin|administrator|noreply|no-reply|sales|contact|hello|mail|team|service|office|billing|dev|ops|test|user|root|webmaster|postmaster|help|jobs|press|security|abuse|git|npm)$/i
const MAILBOX = /([\p{L}\p{M}\p{N}.+_-]{3,64})@[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}.-]{2,60}/gu
const MAILBOXES_MAX = 20

/** Returns mailboxes of addresses that the texts hold: their people may be named elsewhere. */
export function mailboxesIn(texts: Iterable<string>): readonly string[] {
  const found = new Set<string>()
  for (const text of texts) {
    if (!text.includes('@')) continue
    for (const { 1: box = '' } of text.matchAll(MAILBOX)) {
      if (found.size >= MAILBOXES_MAX) return [...found]
      if (!NOBODYS.test(box) && /\p{L}[._]\p{L}/u.test(box)) found.add(box.replace(/\+.*$/, ''))
    }
  }
  return [...found]
}
