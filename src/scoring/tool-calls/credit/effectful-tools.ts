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

/** Tools that sound as if they change something but only end or accompany the conversation. */
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

/** Returns true if calling the tool changes something, by the lists above or else by the first word of its name. */
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
  if (effects.has(toolName)) return true
  const name = toolName.split(/[.:/]|__/).at(-1) || toolName
  if (nonEffects.has(toolName) || nonEffects.has(name)) return false
  return !reads.has(firstWord(name))
}

/** Returns true if the tool sets a state rather than adding to it: repeating the call has no further effect. */
export function setsState(toolName: string): boolean {
  return /^(update|modify|set|enable|disable|reset|rename|assign|change|edit)$/.test(firstWord(toolName))
}

function firstWord(name: string): string {
  const [word = ''] = name.replace(/^[_-]+/, '').split(/[_\-\s]/)
  return (/^[A-Z]+(?![a-z])|^[A-Z]?[a-z]+/.exec(word)?.[0] ?? word).toLowerCase()
}
