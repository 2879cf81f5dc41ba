/** Words that are said of secrets and of signing in: behind `PASS`, `password is`, `with password`, no secret. */

/** Endings of words for what is done to something, what it can be, how it is done. */
const ENDINGS =
  /(?:[^s]ed|ing|[ai]ble|ive|ous|ful|less|ly|[st]ions?|ments?|ness|ances?|ences?|ism|ship|ities|ies|izer|iser|ively|ation|ity|age|[incr]al|(?:er|at|if|og|on|et)ic|ary|ory|ent|ant)$/

const WORDS: ReadonlySet<string> = new Set(
  `a about above absent accept access account accounts ace action actions active actual additional address admin after again
  against age agent alert algorithm alias all allow already also always am an and another any anymore anything app apps are
  argument arguments array as ask at attempt attempts attribute auth auto available away backend bad bar base basic batch be
  because been before begin behind below best better between beyond binary bind blank block body boolean both box break broken
  browser buffer bug build builder builds built but button by bytes cache call callback can cannot cant caps card case chain
  challenge change changes char characters chars chart check checker checks child choice class clean clear client clients close
  code codes column columns come comes command comment common complete complex component compromised concise config confirm
  conflict confidential connect connector consent console const consumer contain contains content context continue controller
  cookie cookies copy core correct corrupt cost could count counts create creation credential credentials cron css current custom
  cut dashboard data database date dates day days dead debug decode decoder default delay delete denied denies deny depth detail
  details device dialog dict did different digest digits directory dirty disable disk display do document does doesn domain
  done dont down download draft driver drop due dummy during each early easy echo edit either elapsed element else email
  emails empty enable encode encoder encryption end endpoint ends engine enough ensure enter entries entry enum env eof equal
  equals error errors escape etc even event events every exact example except exist exists exit expects expire expires expiry
  export expression extension external extra fail failed fails failure failures fake false fast fatal feature feed fetch few
  field fields file files filter final find fine finish first flag flags flow folder follow for forbidden force forever forgot
  forgotten form format forms found frame free fresh from full function gateway gave generator generic get gets give given gives
  go goes gone good grammar grant granted group groups guard guest guide had handle handler hard has hash hashes have having
  he header headers help helper her here hidden high hint his history hit hits home hook host hour hours how however http https
  icon id identical identifier identifiers identity idle ids if ignore image import important in inactive incorrect index
  indicator info input inputs insecure inside insert inspect instance instead integer intact interface internal interval into
  invalid invalidates is isn issue issued issuer issues it item items its itself job jobs join json just keep keeps kept key
  keys keyword kind known label language last late later latest launch layer layout leak least left legacy length less let
  level lexer library like limit limiter limits line lines link links list literal live load loader local lock log logic login
  logins logout logs long longer look lookup loop lost low lower mail main make makes malformed manager manual many map mapper
  mapping mask master match matcher matches matter max maximum may me mean means medium member memory message messages meta
  metadata method methods middleware might migration min mine minimum minute minutes misses mistake mode model module modules
  monitor more most move much multiple must my name names native need needs network never new newer newline next nil no nobody
  node nodes non none nor normal not note nothing notice now null number numbers object objects obsolete obtain of off offline
  offset often ok okay old older omit on once one ones online only opaque open opens operator option optional options or order
  origin other others our out outside over overflow own owner owners page pages pair panel param parameter parameters params
  parent parse parser part parts pass passes passport password passwords past paste path paths pattern payload people per
  percent perhaps period permanent permission permit person phase phrase piece pin place placeholder plain plaintext please
  plugin plus point policies policy pool popup port post precedes prefix present press prevent preview previous primary print
  prior private probably problem process processor profile progress project prompt prompts proper property protocol provider
  providers proxy public publish pull punctuation push put query queue quick quit quota quote random range rate rather raw
  reached reader readonly ready real realm really reason record records recover redirect reference refers refresh regex region
  register registry reject rejects related relation release reload remote remove rename render renew repeat replace report
  request requests require requirement requirements requires reset resets resolver resource resources response rest restart
  restore result results resume retries retry return returns reuse review revoke revokes right role roles root rotate
  rotates round route router row rows rule rules run running runs safe same sample save scan schema scheme scope scopes screen
  script search second seconds secret secrets section secure security see seem seems seen segment select selector self send
  sender sends sensitive sent separate sequence serializer server servers service services session sessions set sets setter
  setting settings setup several share she shell short shorter should show shown shows sign signal signature signatures silent
  similar simple since single site size skip slot slow snippet so some someone something sometimes soon sort source space spaces
  special specific split stack stage stale standard start starts state states static status stay step steps still stop storage
  store stores stream strength strict string strings strong structure style sub subject submit success successful such suffix
  suite sum support sure swap switch symbol sync syntax system systems table tag tags take takes target task tasks team
  template temporary term terminal test tests text than thanks that the their them theme then there therefore these they thing
  things this those though thread three through throughout throws ticket time timeout timer times tip title to toast
  together toggle token tokenizer tokens too took tool tooltip top total trace transport tree tries true try tunnel twice two
  type types ui unchecked undefined under underflow unique unit unix unknown unless unlike unlock unset until unusual up upon
  upper url use used user username usernames users uses using util utils valid validator value values var variable variables vault
  verb verification verifies verify version versions very via video view visitor void wait want warn warns was wasn watch way we
  weak web website week well went were what when where whether which while who whoever whole whose why widget will window
  with within without won word words work worker works would wrap wrapper write writer wrong wrote year yes yet yields you
  your yours zero zone gibberish garbage stolen override overrides boxes thrice entropy pepper upgrade visibility autofill compile
  dictionary blacklist rounds sealed spraying quota comply bits caching rotation recovery visible pads locked tries window overlay chooser
  picker widget bar hash broken blocked wiped leaked pwned phished guessed sniffed cracked hunch typo gone void ours yesterday today tomorrow tonight lately north south east west left right top bottom center middle light dark theme red green blue black white
  alice bob carol charlie dave jane john eve mallory anonymous localhost postgres mysql redis mongo google github gitlab
  facebook apple microsoft okta keycloak ldap saml oauth kerberos jwt bearer digest ntlm negotiate external plain
  production staging development prod dev qa monday tuesday wednesday thursday friday saturday sunday january february march
  equals differs exceeds begins ends looks seems works prompt authenticate continue proceed connect enable region prints
  april june july august september october november december successfully unexpectedly`.split(/\s+/),
)

/** True for a word of the list itself: endings tell nothing where a name gives the value, as of `carnation`. */
export function isListed(word: string): boolean {
  return WORDS.has(word.toLowerCase())
}

/** True for a word of which sentences are made; any other word of letters may be what somebody chose. */
export function isOrdinary(word: string): boolean {
  const low = word.toLowerCase()
  return WORDS.has(low) || ENDINGS.test(low) || WORDS.has(low.replace(/s$/, ''))
}

/** `swordfish`, `winter`: one word of letters alone that no sentence about secrets is made of. */
export function isChosen(text: string): boolean {
  return (
    text.length >= 5 &&
    text.length <= 64 &&
    /^(?:[A-Za-z][a-z]+(?:-[a-z]+){0,4}|[A-Z]{5,})$/.test(text) &&
    !isOrdinary(text)
  )
}
