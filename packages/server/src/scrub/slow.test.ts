/** No text costs more than its length, whatever it repeats: a quadratic walk would take thousands of times as long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrubFields } from '#testing/builders/scrubbing.ts'

const CHARS = 262_144
const TIMES_MAX = 100
/** Time the engine takes beside us: compiling, collecting. */
const BESIDE_MS = 250

const repeated = (unit: string): string => unit.repeat(Math.ceil(CHARS / unit.length)).slice(0, CHARS)

/** Returns the processor's time: what else the machine does takes none of it. */
function tookMs(text: string): number {
  const before = process.cpuUsage()
  scrubFields(
    { message: text, stacktrace: { frames: [{ context_line: text }] } },
    { clientAddress: 'truncate' },
  )
  return process.cpuUsage(before).user / 1_000
}

const UNITS =
  `4_4_4_|44_44_|4444_|4.|(|("|DE00_|DE12_|://a@|://a:b/|://a:b_|eyJ-|eyJ.|sk-|a:b:|\\|\\u00|=|:|>|<a>|password=|password:{
password=[]|token={a}_|password_is_|the_token_|password_"|mysql_-p|curl_-u_a_|_-a|--token_|/reset/|insert_into_a_(b)_values_(
into_a_(password)_values_(1,|values_('|-----BEGIN_|-----BEGIN_PRIVATE_KEY-----|form-data;_name="|bearer_|Basic_QUFB_|&amp;|%25|%3D
a-b-|Aa1|hooks.slack.com/services/|@tcp(a:|a:b@c|a:1@b.|203.0.113.9_|key="a"_value="|identified_by_'|0/|test_a1|acme_live_|-us1
.atlasv1.|M.|12345678:A|Q~|1|_|{"a":|["a",|thin:a/|connect_a/|a=b;|cookie:_|"token":_"|password='\\|hmac("|auth('|password_(|"a",_"|entry_"a|name:_a_|<key>a|ab12_is_not_a_valid_|x_like_'|your_code_|123456_is_your_
net_user_|htpasswd_-b_|config_set_|<<<|echo_a|AUTH_|a_->_|密码|пароль_|token_not_|$1$|eyJ:1|a_1b|/hooks/
??_'a1|a:b_??_'abc1'_|a=b_or_"abc1"|a_?_b:'abc1'|signed_in_as_a:b1|/login_bob/b1|?_a:'1b|_or_"1|else_'1|default="1|S2|AAAA2|A2B+AEh|11a|rootpw_|rman_target_a/|username_a_password_|credentials_a_/_|recovery_codes:_1234,_
seed_phrase:_abc_|passphrase_"ab_|<password><![CDATA[|a_in_('1','|var_string_=|x:_&string=|net_use_a_b_/user:|x1_password_'|/reset/a/1|a.m.pipedream
ssh_"mysql_"-p|mysql_'-u_"a_'b"_|'mysql',_'-p',_|['a',_'b',_|_token_"a1"_but_got_"|password_'[Filtered]'_vs_|used_a1bcde_as_the_|a1bcde_as_the_password_
code_123456_|the_code_123456_is_|value_a1bcde_for_|'loc':_('a',_|'loc':_('a','a'),_'input':_'|a\\n__b_input_value='|abc/|abc/def/A1b2|token_for_a_has_been_set_to_|password_dell'u_|dell'|a***_|password=a***_
"a">>_=>_<<"a|-ua|"$a:"|http-basic.a_b_|identifiants_a_/_|admin-passw|user/pass_a_/_|пароль_a:_b:_|password:_'required',|secret:_a/|password=/etc/a|k="a",_v:|host:5432:a:a:|token_a_is_was_
digest_|digest_response=00000000000000000000000000000000_|-u',_'a:|variable_"a"_{
password,a\\n|password,a\\n1,b2\\n|"token","a"\\n"1|token;a\\n|password:_>\\n_a|password:_>\\n_a\\n__b\\n|x_[["a",|x_{"a":1}_|select_a=?_params:_["a1",_|values:_["a",_|?;_"a",
A_B,_"a1|{ab,_"a1|"a1b2".toCharArray(|Cookie:_a=b;_|Cookie:_theme=dark;_|theme=dark;_|pragma_key_=_"|set_password_for_a|md5("|:*:|a:*:a:a:|mnemonic:_abc_|abc_mnemonic_abc_|password_a_b:_|password_is_generated_for_a
printf_a1_|authentication-key_1_md5_|#define_A_KEY_|userPassword::_|?state=|a_key_a1|Authorization:_a1_|api.openweathermap.org/a?|private_|md-|http://a.pipedream|-----BEGIN_OpenVPN_Static_key_V1-----|["password"]=>\\n_string(1)_|connect_a/b@
a_*_|a_*_b1_*_|"a"_pptpd_|password\\n|password\\na1b2c3\\n|$1_=_'a|update_a_set_b=$1_$1_=_'a1b2',_|binding_parameter_[1]_as_[a]_-_[|/magic?a=b&|/magic?|ab_cd_ef_0|ab_cd_0a1b|ConvertTo-SecureString_"|chpasswd:_list:_
PASS_a|a1_LOGIN_b_|AUTH_a_|requirepass_|["AUTH","|"password"_with_value_"|$password_must_be_a,_|"a1"_for_column_"|>password</a><a_|Password(given='|password_for_a_b_c_d_|password....|login=a:|robot$a:|your_code_<b>|abc_abc_abc_wallet_
secrets:\\n_a:_b\\n|Пароль_а_б_|пароль:_а1|?u=a&p=|;pwd={a}}|password[a]=|password=~s(|password=r#"|password_varchar2(20)_:=_'|switch(password){case_"|expect(password).to_be("|"a"_==_password_|"abcd",_#_a_b_c_password|MOVE_"abcd"_TO_
Input_Password__a__|fill_in_"a"_with_"|password:_{_"key":_"|abcdefghijklmnop1_is_your_|/l/abcdefghijklmnop|:a@https://|"root:a@/|password:_is_a_b_|"password":["a_b_is_",_"|db.password_|password_is_a_and_|password_Ab1|password_=_<a_|token_a_is_a_|a1b_is_your_password_|login_as_a_with_|auth(a,|auth('a',_'b',_|login_a/b1_|LOGIN_a_|Client("a.b",_|login_Sommer2025_|Sommer2025!|passphrase:_abc_|://\\\\a|const_a_=_b_??_"|a_?_b:_"`
    .split(/[|\n]/) // a line break of a unit is written out
    .map((unit) => unit.replaceAll('_', ' ').replaceAll('\\n', '\n'))

test('no text takes many times as long as an ordinary one of its size', () => {
  const ordinary = repeated('The request to /api/items/12 of shop@2.1 took 35 ms (limit: 20). ')
  tookMs(ordinary)
  const ordinaryMs = Math.max(tookMs(ordinary), tookMs(ordinary))
  const slow = UNITS.map((unit) => ({ unit, ms: tookMs(repeated(unit)) })).filter(
    ({ ms }) => ms > ordinaryMs * TIMES_MAX + BESIDE_MS,
  )
  assert.deepEqual(slow, [], `an ordinary text took ${ordinaryMs} ms`)
})

test('an event that costs more than its budget loses the rest of its texts, and says so', () => {
  const text = 'password_hint and other words, again and again '.repeat(340)
  const extra = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`key${at}`, text]))
  const event = scrubFields({ message: 'first', extra })
  assert.equal(event.message, 'first')
  assert.equal(event.extra?.key2999, '[Filtered]')
  assert.ok(event.scrubbedPaths.some(({ rule }) => rule === 'scrub_budget'))
  const told = event.problems.filter(({ rule }) => rule === 'scrub_budget')
  assert.deepEqual(told, [{ path: '', rule: 'scrub_budget' }])
  assert.deepEqual(scrubFields({ extra: { text } }).scrubbedPaths, [])
  assert.deepEqual(scrubFields({ extra: { text } }).problems, [])
})
