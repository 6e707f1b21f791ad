/** The tools of tau-bench and tau2-bench, by domain; in tau2-bench's telecom the user has tools too. */
const knownTools = {
  airline: {
    writes: [
      'book_reservation cancel_reservation send_certificate update_reservation_baggages update_reservation_flights',
      'update_reservation_passengers',
    ],
    reads: [
      'calculate get_flight_status get_reservation_details get_user_details list_all_airports search_direct_flight',
      'search_onestop_flight think transfer_to_human_agents',
    ],
  },
  retail: {
    writes: [
      'cancel_pending_order exchange_delivered_order_items modify_pending_order_address modify_pending_order_items',
      'modify_pending_order_payment modify_user_address return_delivered_order_items',
    ],
    reads: [
      'find_user_id_by_email find_user_id_by_name_zip get_item_details get_order_details get_product_details',
      'list_all_product_types',
    ],
  },
  telecom: {
    writes: [
      'disable_roaming enable_roaming refuel_data resume_line send_payment_request suspend_line',
      'connect_vpn disconnect_vpn grant_app_permission make_payment reboot_device reseat_sim_card reset_apn_settings',
      'set_apn_settings set_network_mode_preference toggle_airplane_mode toggle_data toggle_data_saver_mode',
      'toggle_roaming toggle_wifi toggle_wifi_calling',
    ],
    reads: [
      'get_bills_for_customer get_customer_by_id get_customer_by_name get_customer_by_phone get_data_usage',
      'get_details_by_id can_send_mms check_apn_settings check_app_permissions check_app_status',
      'check_data_restriction_status check_installed_apps check_network_mode_preference check_network_status',
      'check_payment_request check_sim_status check_status_bar check_vpn_status check_wifi_calling_status',
      'check_wifi_status run_speed_test',
    ],
  },
} as const

/** Tools that sound as if they change something but only end or accompany the conversation. */
const conversation = [
  'transfer_to_human_agents transfer_to_human_agent transfer_to_human_support transfer_to_human respond final_answer',
  'done finish',
]

/** The words of lists that are written with blanks between them. */
export const wordSet = (...lists: (string | readonly string[])[]) =>
  new Set(lists.flat().flatMap((list) => list.split(' ')))

const domains = Object.values(knownTools)
const writes = wordSet(...domains.map((domain) => domain.writes))
const reads = wordSet(...domains.map((domain) => domain.reads), conversation)

/** A name that begins like this asks a question: `can_send_mms` sends nothing. */
const questions = wordSet(['can could is are was has have does did should may might will would'])

/** A name that begins like this works something out: `preview_update`, `estimate_refund`. */
const reckoning = wordSet([
  'calculate compute estimate preview simulate predict think count compare describe explain summarize summarise',
  'recommend suggest translate convert sort filter analyze analyse',
])

/** A name that begins like this looks something up, unless another word of it writes. */
const reading = wordSet([
  'get search find list lookup look read fetch show view check query verify validate retrieve browse inspect display',
  'load ping peek identify authenticate',
])

/** Verbs that write wherever they stand in a name: `find_or_create_user`. */
const writing = wordSet([
  'delete remove create update modify cancel insert add send submit reset edit append upload replace rename',
  'install uninstall enable disable activate deactivate approve reject assign unassign revoke buy purchase sell',
  'suspend reboot restart overwrite merge publish unpublish subscribe unsubscribe enroll unregister',
  'rebook reschedule redeem unarchive write apply',
])

/** Verbs that destroy: what can be destroyed after one of them is its object. `get_clear_history` clears the history. */
const destroying = wordSet(['wipe clear kill purge erase destroy truncate drop flush terminate evict prune shred'])
const destroyed = wordSet(['history log logs event events list queue order orders request requests'])

/** In these they are nouns: `list_drop_off_points`, `check_reset_token`. */
const compounds =
  /\b(drop (off|out|down|box|ship|zone|point|location|rate)|reset (token|code|link|email)|kill (switch|count)|clear (sky|weather))s?\b/g

/** Words that are as often nouns: in `get_order_details` nothing is ordered, in `check_and_order` it is. */
const writingAfterAnd = wordSet([
  'order book charge post call message open close return transfer change set exchange request record report',
  'schedule share pay refund mark move lock unlock block unblock start stop run execute place issue flag upgrade',
  'downgrade deposit withdraw put push commit ship invite notify email text reply confirm accept decline grant',
  'register reserve archive save store',
])
const joining = wordSet(['and or then plus also'])

/** After `and` these only prepare what was read: `fetch_and_parse_page`, `get_or_default`. */
const preparing = wordSet(['parse extract print format rank group aggregate render highlight plot default none null'])

/** Before these a writing verb only describes a thing: `get_update_history`, `check_cancel_policy`. */
const things = wordSet([
  'status history log logs policy policies fee fees date dates time times id ids detail details info information',
  'option options reason reasons request requests rule rules price prices cost costs eligibility window deadline',
  'limit limits on ons permission permissions count counts type types event events list queue order orders url link',
])

/** A name that ends like this asks about what it names: `check_delete_account_eligibility`. */
const asked = wordSet(['status policy policies eligibility reason reasons fee fees cost costs deadline count counts'])

/** At the end of a name these are nouns: `get_purchase`, `get_password_reset`. */
const nouns = wordSet(['update purchase upload edit clear drop kill reset flush'])

/** `check_out_cart` and `check_in_guest` act; `check_in_stock` asks. */
const acting =
  /^(check (out|off)|check in(?! (stock|progress|use|range|transit)\b)|get rid|sign (up|off|out)|look after)\b/

/** Returns true if calling the tool changes something, by the lists above or else by the words of its name. */
export function changesSomething(toolName: string): boolean {
  const cached = cache.get(toolName)
  if (cached !== undefined) return cached
  const answer = classifyByName(toolName)
  if (cache.size < MAX_CACHED) cache.set(toolName, answer)
  return answer
}

const MAX_CACHED = 10_000
const cache = new Map<string, boolean>()

function classifyByName(toolName: string): boolean {
  const name = toolName.split(/[.:/]|__/).at(-1) || toolName
  for (const spelled of [toolName, name]) {
    if (writes.has(spelled)) return true
    if (reads.has(spelled)) return false
  }
  const parts = splitWords(name)
  const [first = '', ...others] = parts
  if (questions.has(first)) return false
  if (acting.test(parts.join(' '))) return true
  if (!reading.has(first) && !reckoning.has(first)) return true
  const rest = others.join(' ').replace(compounds, '').trim().split(/ +/)
  return rest.some((word, index) => {
    if (joining.has(rest[index - 1] ?? '')) return isJoinedWrite(word, index === 1)
    return !reckoning.has(first) && !asked.has(rest.at(-1)!) && isWritingVerb(word, rest[index + 1])
  })
}

/** After “and” a word for a write is a verb. Right after the first verb, as in `get_and_…`, so is any other word. */
function isJoinedWrite(word: string, isVerb: boolean): boolean {
  if (writing.has(word) || destroying.has(word) || writingAfterAnd.has(word)) return true
  return isVerb && !reading.has(word) && !reckoning.has(word) && !preparing.has(word)
}

function isWritingVerb(word: string, after: string | undefined): boolean {
  if (after === undefined) return (writing.has(word) || destroying.has(word)) && !nouns.has(word)
  return (
    (writing.has(word) && !things.has(after)) || (destroying.has(word) && (!things.has(after) || destroyed.has(after)))
  )
}

/** `getUserID`, `get_user_id` and `get-user-id` are the same words. */
export function splitWords(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/** Returns true if the tool sets a state rather than adding to it: repeating the call has no further effect. */
export function setsState(toolName: string): boolean {
  return /^(update|modify|set|enable|disable|reset|rename|assign|change|edit)$/.test(splitWords(toolName)[0] ?? '')
}

/** Tools that only replace what was there: of two calls for the same thing, the later decides. */
const replacing = wordSet([
  'modify_pending_order_address modify_user_address update_reservation_passengers set_network_mode_preference',
  'set_apn_settings',
])

export function replacesState(toolName: string): boolean {
  return replacing.has(toolName) || splitWords(toolName)[0] === 'set'
}

/** Returns true if a second call undoes the first. */
export function togglesState(toolName: string): boolean {
  return splitWords(toolName)[0] === 'toggle'
}
