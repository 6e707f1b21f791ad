import type { ActualCall, ExpectedCall } from '../../../scoring/tool-calls/index.ts'
import { listField, textField } from './fields.ts'

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
  const orders = new Map<string, Order>()
  return expected.map((action) => {
    const tool = Object.hasOwn(orderTools, action.name) ? orderTools[action.name] : undefined
    const id = textField(action.arguments, 'order_id')
    if (!tool || id === undefined || action.refused !== undefined) return action
    const order = orders.get(id) ?? { status: seen.get(id) ?? tool.needs, hasChangedPayment: false }
    const refused = findRefusal({ action, needs: tool.needs, order, isStrict })
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
