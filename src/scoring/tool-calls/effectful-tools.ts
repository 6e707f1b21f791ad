/** Tools of tau-bench and tau2-bench that change the database or the phone, by domain. */
const knownEffects: Readonly<Record<string, readonly string[]>> = {
  airline: [
    'book_reservation',
    'cancel_reservation',
    'send_certificate',
    'update_reservation_baggages',
    'update_reservation_flights',
    'update_reservation_passengers',
  ],
  retail: [
    'cancel_pending_order',
    'exchange_delivered_order_items',
    'modify_pending_order_address',
    'modify_pending_order_items',
    'modify_pending_order_payment',
    'modify_user_address',
    'return_delivered_order_items',
  ],
  telecom: [
    'suspend_line',
    'resume_line',
    'send_payment_request',
    'enable_roaming',
    'disable_roaming',
    'refuel_data',
    'set_network_mode_preference',
    'toggle_airplane_mode',
    'reseat_sim_card',
    'toggle_data',
    'toggle_roaming',
    'toggle_data_saver_mode',
    'set_apn_settings',
    'reset_apn_settings',
    'toggle_wifi',
    'toggle_wifi_calling',
    'connect_vpn',
    'disconnect_vpn',
    'grant_app_permission',
    'reboot_device',
    'make_payment',
  ],
}

/** Tools whose name sounds like an effect and which change no record: they end or accompany the conversation. */
const knownNonEffects = [
  'transfer_to_human_agents',
  'transfer_to_human_agent',
  'transfer_to_human_support',
  'transfer_to_human',
  'respond',
  'final_answer',
  'done',
  'finish',
  'run_speed_test',
]

const readingVerbs = [
  'get search find list calculate think lookup look read fetch show view check query describe count compare',
  'verify validate estimate compute convert retrieve browse can is has does preview summarize summarise',
  'explain translate sort filter inspect display load ping peek identify authenticate analyze analyse',
  'predict recommend suggest',
]

const effects = new Set(Object.values(knownEffects).flat())
const nonEffects = new Set(knownNonEffects)
const reads = new Set(readingVerbs.join(' ').split(' '))

/** Does a call of this tool change something? By the known lists, else by the verb its name begins with. */
export function changesSomething(toolName: string): boolean {
  const known = remembered.get(toolName)
  if (known !== undefined) return known
  const answer = judgeName(toolName)
  if (remembered.size < MOST_REMEMBERED) remembered.set(toolName, answer)
  return answer
}

const MOST_REMEMBERED = 10_000
const remembered = new Map<string, boolean>()

function judgeName(toolName: string): boolean {
  if (effects.has(toolName)) return true
  const name = toolName.split(/[.:/]|__/).at(-1) || toolName
  if (nonEffects.has(toolName) || nonEffects.has(name)) return false
  return !reads.has(firstWord(name))
}

/** Tools that set a state rather than add to it: the same call again changes nothing more. */
export function setsState(toolName: string): boolean {
  return /^(update|modify|set|enable|disable|reset|rename|assign|change|edit)$/.test(firstWord(toolName))
}

function firstWord(name: string): string {
  const [word = ''] = name.replace(/^[_-]+/, '').split(/[_\-\s]/)
  return (/^[A-Z]+(?![a-z])|^[A-Z]?[a-z]+/.exec(word)?.[0] ?? word).toLowerCase()
}
