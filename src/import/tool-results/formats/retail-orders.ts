import type { ActualCall, ExpectedCall } from '../../../scoring/tool-calls/index.ts'
import { isJsonObject, tryParseJson } from '../../../contract/index.ts'
import { field, listField, numberField, textField } from './fields.ts'

/** What the retail tools of tau-bench and tau2-bench ask of an order, and what they leave it as. */
const orderTools: Readonly<Record<string, { needs: 'pending' | 'delivered'; leaves: string }>> = {
  cancel_pending_order: { needs: 'pending', leaves: 'cancelled' },
  modify_pending_order_items: { needs: 'pending', leaves: 'pending (item modified)' },
  modify_pending_order_payment: { needs: 'pending', leaves: 'pending' },
  modify_pending_order_address: { needs: 'pending', leaves: 'pending' },
  return_delivered_order_items: { needs: 'delivered', leaves: 'return requested' },
  exchange_delivered_order_items: { needs: 'delivered', leaves: 'exchange requested' },
}

const cancelReasons = new Set(['no longer needed', 'ordered by mistake'])

interface Order {
  status: string
  hasChangedPayment: boolean
}

/**
 * Marks the expected actions that the retail tools refuse, because of the state in which the actions before them leave
 * the order, or because of its state in the agent's first look at it: a delivered order cannot be cancelled.
 * `isStrict` is tau-bench, where nothing more can be done with an order whose items were modified; tau2-bench still lets
 * its address be changed.
 */
export function markRefused(
  expected: readonly ExpectedCall[],
  calls: readonly ActualCall[],
  { isStrict }: { isStrict: boolean },
): ExpectedCall[] {
  if (!expected.some(({ name }) => Object.hasOwn(orderTools, name))) return [...expected]
  const seen = findFirstStatuses(calls)
  const money = readMoney(calls)
  const facts = { ...money, isStrict }
  const orders = new Map<string, Order>()
  return expected.map((action) => {
    const tool = Object.hasOwn(orderTools, action.name) ? orderTools[action.name] : undefined
    const id = textField(action.arguments, 'order_id')
    if (!tool || id === undefined || action.refused !== undefined) return action
    const order = orders.get(id) ?? { status: seen.get(id) ?? tool.needs, hasChangedPayment: false }
    const refused =
      findRefusal({ action, needs: tool.needs, order, isStrict }) ??
      findForbiddenChoice(action, facts) ??
      findShortfall(action, money)
    if (refused !== undefined) return { ...action, refused }
    const isPayment = action.name === 'modify_pending_order_payment' || action.name === 'modify_pending_order_items'
    orders.set(id, {
      status: order.status === 'pending (item modified)' && tool.leaves === 'pending' ? order.status : tool.leaves,
      hasChangedPayment: order.hasChangedPayment || isPayment,
    })
    return action
  })
}

interface Attempt {
  action: ExpectedCall
  needs: 'pending' | 'delivered'
  order: Order
  isStrict: boolean
}

function findRefusal({ action, needs, order, isStrict }: Attempt): string | undefined {
  const { status } = order
  const isModified = status === 'pending (item modified)'
  const isLenient = !isStrict && /_(address|payment)$/.test(action.name)
  if (status !== needs && !(isModified && isLenient)) return `the tool refuses it: the order is then ${status}`
  if (action.name === 'modify_pending_order_payment' && order.hasChangedPayment)
    return 'the tool refuses it: the payment can be changed only once'
  const reason = textField(action.arguments, 'reason')
  if (action.name === 'cancel_pending_order' && reason !== undefined && !cancelReasons.has(reason))
    return 'the tool refuses it: not a reason it knows'
  const [from, to] = [listField(action.arguments, 'item_ids'), listField(action.arguments, 'new_item_ids')]
  if (from && to && from.length !== to.length) return 'the tool refuses it: as many new items as old ones are needed'
  return undefined
}

/** Items and payment methods that the tools do not take, as far as the replies show them. */
function findForbiddenChoice(
  { name, arguments: given }: ExpectedCall,
  { isStrict, unavailable, methods }: Money & { isStrict: boolean },
): string | undefined {
  const [from, to] = [listField(given, 'item_ids') ?? [], listField(given, 'new_item_ids') ?? []]
  // tau-bench lets an item be modified to itself; tau2-bench does not.
  if (!isStrict && name === 'modify_pending_order_items' && from.some((item, index) => item === to[index]))
    return 'the tool refuses it: an item cannot be modified to itself'
  if (to.some((item) => unavailable.has(String(item)))) return 'the tool refuses it: the new item is not available'
  const paid = methods.get(textField(given, 'order_id') ?? '')
  const chosen = textField(given, 'payment_method_id')
  if (paid === undefined || chosen === undefined) return undefined
  if (name === 'modify_pending_order_payment' && chosen === paid)
    return 'the tool refuses it: the order is paid by that method already'
  if (name === 'return_delivered_order_items' && chosen !== paid && !chosen.startsWith('gift_card'))
    return 'the tool refuses it: a return goes to the original payment method or a gift card'
  return undefined
}

/** The status of each order in the first reply that shows it, unless the agent had changed it already. */
function findFirstStatuses(calls: readonly ActualCall[]): Map<string, string> {
  const statuses = new Map<string, string>()
  const touched = new Set<string>()
  for (const call of calls) {
    const id = textField(call.arguments, 'order_id')
    if (id === undefined) continue
    if (call.name !== 'get_order_details') touched.add(id)
    else if (!touched.has(id) && !statuses.has(id)) {
      const status = readStatus(call.result)
      if (status !== undefined) statuses.set(id, status)
    }
  }
  return statuses
}

function readStatus(reply: string | undefined): string | undefined {
  if (reply === undefined || !reply.startsWith('{')) return undefined
  try {
    return textField(JSON.parse(reply), 'status')
  } catch {
    return undefined
  }
}

/** What the replies show of money: the balances of gift cards, the prices of items, and what each order cost. */
interface Money {
  balances: Map<string, number>
  prices: Map<string, number>
  totals: Map<string, number>
  /** Items that are not for sale. */
  unavailable: Set<string>
  /** How each order was paid at first. */
  methods: Map<string, string>
}

/** Reads the first reply that shows each: later ones may show what the agent changed. */
function readMoney(calls: readonly ActualCall[]): Money {
  const money: Money = {
    balances: new Map(),
    prices: new Map(),
    totals: new Map(),
    unavailable: new Set(),
    methods: new Map(),
  }
  const note = (id: string, variant: unknown) => {
    if (field(variant, 'available') === false) money.unavailable.add(id)
  }
  const keep = (map: Map<string, number>, id: string | undefined, value: number | undefined) => {
    if (id !== undefined && value !== undefined && !map.has(id)) map.set(id, value)
  }
  for (const { name, result = '', arguments: given } of calls) {
    if (!name.startsWith('get_') || !result.startsWith('{')) continue
    const reply = tryParseJson(result)
    const [methods, variants] = [field(reply, 'payment_methods'), field(reply, 'variants')]
    if (isJsonObject(methods))
      for (const [id, method] of Object.entries(methods)) keep(money.balances, id, numberField(method, 'balance'))
    if (isJsonObject(variants))
      for (const [id, variant] of Object.entries(variants)) {
        keep(money.prices, id, numberField(variant, 'price'))
        note(id, variant)
      }
    const item = textField(reply, 'item_id')
    if (item !== undefined) {
      keep(money.prices, item, numberField(reply, 'price'))
      note(item, reply)
    }
    const order = textField(reply, 'order_id') ?? textField(given, 'order_id')
    const method = textField(listField(reply, 'payment_history')?.[0], 'payment_method_id')
    if (order !== undefined && method !== undefined && !money.methods.has(order)) money.methods.set(order, method)
    const items = listField(reply, 'items')
    if (!items) continue
    for (const one of items) keep(money.prices, textField(one, 'item_id'), numberField(one, 'price'))
    const known = items.map((one) => numberField(one, 'price'))
    if (known.every((price) => price !== undefined))
      keep(
        money.totals,
        order,
        known.reduce((sum, price) => sum + price, 0),
      )
  }
  return money
}

/** A gift card must cover what is paid with it. Only where the file shows every amount. */
function findShortfall(
  { name, arguments: given }: ExpectedCall,
  { balances, prices, totals }: Money,
): string | undefined {
  const balance = balances.get(textField(given, 'payment_method_id') ?? '')
  if (balance === undefined) return undefined
  const price = (ids: readonly unknown[]) =>
    ids.reduce<number>((sum, id) => sum + (prices.get(String(id)) ?? Number.NaN), 0)
  const [from, to] = [listField(given, 'item_ids'), listField(given, 'new_item_ids')]
  const due =
    name === 'modify_pending_order_payment'
      ? (totals.get(textField(given, 'order_id') ?? '') ?? Number.NaN)
      : from && to
        ? price(to) - price(from)
        : Number.NaN
  return due > balance ? 'the tool refuses it: the gift card does not cover it' : undefined
}
