/**
 * Records in the style of tau-bench and tau2-bench, each with the verdict that follows from the benchmark's own rules:
 * success if the database ends as the expected actions leave it and the user was told what the task asks for. People,
 * orders and flights are invented.
 */
export interface HardCase {
  name: string
  isSuccess: boolean
  format: 'tau-bench' | 'tau2-bench'
  record: object
  /** For tau2-bench: the task beside the simulations. */
  task?: object
}

type Given = Record<string, unknown>

/** One step of a conversation. */
type Step = (index: number) => object[]

const say =
  (content: string): Step =>
  () => [
    { role: 'assistant', content },
    { role: 'user', content: 'Thanks.' },
  ]

const call =
  (name: string, given: Given, reply: unknown = 'ok', content: string | null = null): Step =>
  (index) => [
    {
      role: 'assistant',
      content,
      tool_calls: [{ id: `c${index}`, type: 'function', function: { name, arguments: JSON.stringify(given) } }],
    },
    {
      role: 'tool',
      tool_call_id: `c${index}`,
      name,
      content: typeof reply === 'string' ? reply : JSON.stringify(reply),
    },
  ]

/** A call as the `act` and `react` strategies write it, with the reply in the user's place. */
const act =
  (name: string, given: Given, reply: unknown = 'ok', thought?: string): Step =>
  () => [
    {
      role: 'assistant',
      content: `${thought === undefined ? '' : `Thought:\n${thought}\n`}Action:\n${JSON.stringify({ name, arguments: given })}`,
    },
    { role: 'user', content: `API output: ${typeof reply === 'string' ? reply : JSON.stringify(reply)}` },
  ]

const respond =
  (content: string, thought?: string): Step =>
  () => [
    {
      role: 'assistant',
      content: `${thought === undefined ? '' : `Thought:\n${thought}\n`}Action:\n${JSON.stringify({ name: 'respond', arguments: { content } })}`,
    },
    { role: 'user', content: 'Thanks. ###STOP###' },
  ]

const written =
  (content: string, reply: string): Step =>
  () => [
    { role: 'assistant', content },
    { role: 'user', content: reply },
  ]

interface TauTask {
  actions: { name: string; kwargs: Given }[]
  outputs?: string[]
  steps: Step[]
}

let taskNumber = 0

function tau(name: string, isSuccess: boolean, { actions, outputs = [], steps }: TauTask): HardCase {
  const taskId = taskNumber
  taskNumber += 1
  return {
    name,
    isSuccess,
    format: 'tau-bench',
    record: {
      task_id: taskId,
      reward: isSuccess ? 1 : 0,
      info: { task: { user_id: 'ada_king_1815', actions, outputs } },
      traj: [
        { role: 'system', content: 'Help the customer.' },
        { role: 'user', content: 'Hello, I need help.' },
        ...steps.flatMap((step, index) => step(index)),
      ],
      trial: 0,
    },
  }
}

const order = '#W1000001'
const other = '#W1000002'
const read = call('get_order_details', { order_id: order }, { order_id: order, status: 'pending', items: [] })
const cancelled = { order_id: order, status: 'cancelled' }
const cancel = (order_id: string, reason = 'no longer needed') => ({
  name: 'cancel_pending_order',
  kwargs: { order_id, reason },
})
const change = (item_ids: string[], new_item_ids: string[], payment_method_id = 'credit_card_11') => ({
  name: 'modify_pending_order_items',
  kwargs: { order_id: order, item_ids, new_item_ids, payment_method_id },
})
const address = (address1: string, zip = '10115') => ({
  order_id: order,
  address1,
  address2: 'Floor 2',
  city: 'Berlin',
  state: 'BE',
  country: 'Germany',
  zip,
})
const move = (to: Given) => ({ name: 'modify_pending_order_address', kwargs: to })
const refund = (order_id: string, item_ids: string[]) => ({
  name: 'return_delivered_order_items',
  kwargs: { order_id, item_ids, payment_method_id: 'paypal_5' },
})
const do_ = ({ name, kwargs }: { name: string; kwargs: Given }, reply?: unknown) => call(name, kwargs, reply)
const write_ = ({ name, kwargs }: { name: string; kwargs: Given }, reply?: unknown) => act(name, kwargs, reply)

const retail: HardCase[] = [
  tau('does exactly what was asked', true, { actions: [cancel(order)], steps: [read, do_(cancel(order), cancelled)] }),
  tau('does it in another order: the two orders have nothing to do with each other', true, {
    actions: [cancel(order), cancel(other)],
    steps: [do_(cancel(other)), do_(cancel(order))],
  }),
  tau('reads everything three times first', true, {
    actions: [cancel(order)],
    steps: [
      read,
      read,
      call('think', { thought: 'hm' }),
      read,
      call('calculate', { expression: '1+1' }, '2'),
      do_(cancel(order)),
    ],
  }),
  tau('does nothing', false, { actions: [cancel(order)], steps: [read, say('I am afraid I cannot do that.')] }),
  tau('gives another reason, which is stored', false, {
    actions: [cancel(order)],
    steps: [read, do_(cancel(order, 'ordered by mistake'), cancelled)],
  }),
  tau('cancels a second order as well', false, {
    actions: [cancel(order)],
    steps: [do_(cancel(order), cancelled), do_(cancel(other))],
  }),
  tau('gets an error and leaves it at that', false, {
    actions: [cancel(order), cancel(other)],
    steps: [
      do_(cancel(order), cancelled),
      do_(cancel(other, 'bored'), 'Error: invalid reason'),
      say('Both are cancelled.'),
    ],
  }),
  tau('gets an error, then does it right', true, {
    actions: [cancel(order)],
    steps: [do_(cancel(order, 'bored'), 'Error: invalid reason'), do_(cancel(order), cancelled)],
  }),
  tau('must refuse, and does', true, { actions: [], steps: [read, say('That order has shipped already.')] }),
  tau('must refuse, and does not', false, { actions: [], steps: [read, do_(cancel(order), cancelled)] }),
  tau('names the items in another order, each beside its replacement', true, {
    actions: [change(['1', '2'], ['11', '12'])],
    steps: [do_(change(['2', '1'], ['12', '11']))],
  }),
  tau('forgets one of the items', false, {
    actions: [change(['1', '2'], ['11', '12'])],
    steps: [do_(change(['1'], ['11']))],
  }),
  tau('charges another card', false, {
    actions: [change(['1'], ['11'])],
    steps: [do_(change(['1'], ['11'], 'gift_card_77'))],
  }),
  tau('corrects a wrong address: only the last one stays', true, {
    actions: [move(address('Allee 1'))],
    steps: [do_(move(address('Alee 1'))), do_(move(address('Allee 1')))],
  }),
  tau('ends with a wrong address', false, {
    actions: [move(address('Allee 1'))],
    steps: [do_(move(address('Allee 1'))), do_(move(address('Allee 1', '10117')))],
  }),
  tau('sets the same address twice', true, {
    actions: [move(address('Allee 1'))],
    steps: [do_(move(address('Allee 1'))), do_(move(address('Allee 1')))],
  }),
  tau('the expected action is refused: the order was cancelled by the action before it', true, {
    actions: [cancel(order), move(address('Allee 1'))],
    steps: [read, do_(cancel(order), cancelled)],
  }),
  tau('the expected action is refused: the agent sees that the order was delivered', true, {
    actions: [cancel(order)],
    steps: [
      call('get_order_details', { order_id: order }, { order_id: order, status: 'delivered' }),
      say('It was delivered, so it cannot be cancelled.'),
    ],
  }),
  tau('one of two expected actions is refused: the agent tried and got the error', true, {
    actions: [
      { name: 'modify_pending_order_payment', kwargs: { order_id: order, payment_method_id: 'gift_card_77' } },
      cancel(other),
    ],
    steps: [
      call(
        'modify_pending_order_payment',
        { order_id: order, payment_method_id: 'gift_card_77' },
        'Error: insufficient gift card balance to pay for the order',
      ),
      do_(cancel(other)),
      say('The gift card does not cover it, but the other order is cancelled.'),
    ],
  }),
  tau('the action only fails because the agent cancelled first', false, {
    actions: [move(address('Allee 1'))],
    steps: [
      do_(cancel(order), cancelled),
      do_(move(address('Allee 1')), 'Error: non-pending order cannot be modified'),
    ],
  }),
  tau('the action only fails because the agent did the two in the wrong order', false, {
    actions: [move(address('Allee 1')), change(['1'], ['11'])],
    steps: [do_(change(['1'], ['11'])), do_(move(address('Allee 1')), 'Error: non-pending order cannot be modified')],
  }),
  tau('returns two orders as asked', true, {
    actions: [refund(order, ['1', '2']), refund(other, ['3'])],
    steps: [do_(refund(order, ['2', '1'])), do_(refund(other, ['3']))],
  }),
  tau('tells the price, in the words of a person', true, {
    actions: [cancel(order)],
    outputs: ['1234.5'],
    steps: [do_(cancel(order), cancelled), say('You will get **$1,234.50** back.')],
  }),
  tau('tells another price that has the digits in it', false, {
    actions: [cancel(order)],
    outputs: ['54.04'],
    steps: [do_(cancel(order), cancelled), say('You will get $154.04 back.')],
  }),
  tau('does it and tells nothing', false, {
    actions: [cancel(order)],
    outputs: ['54.04'],
    steps: [do_(cancel(order), cancelled), say('Done.')],
  }),
  tau('tells it only to itself, beside a call', false, {
    actions: [cancel(order)],
    outputs: ['54.04'],
    steps: [call('cancel_pending_order', cancel(order).kwargs, cancelled, 'That makes 54.04.'), say('Done.')],
  }),
  tau('tells how many there are, and the year is not the number', false, {
    actions: [],
    outputs: ['20'],
    steps: [say('As of 2024 there are 12 options.')],
  }),
  tau('tells all of three numbers in two messages', true, {
    actions: [],
    outputs: ['327', '1000', '1786'],
    steps: [say('The first costs $327.00.'), say('The others cost 1,000 and 1,786 dollars.')],
  }),
  tau('tells two of three', false, {
    actions: [],
    outputs: ['327', '1000', '1786'],
    steps: [say('The first costs $327, the second $1,000.')],
  }),
  tau('tells a name in other letters', true, {
    actions: [],
    outputs: ['desk lamp'],
    steps: [say('I suggest the “Desk  Lamp”.')],
  }),
]

const texts: HardCase[] = [
  tau('act: does it', true, {
    actions: [cancel(order)],
    steps: [
      act('get_order_details', { order_id: order }, '{"status":"pending"}'),
      write_(cancel(order), cancelled),
      respond('Done.'),
    ],
  }),
  tau('act: gets an error', false, {
    actions: [cancel(order)],
    steps: [write_(cancel(order, 'bored'), 'Error: invalid reason'), respond('Done.')],
  }),
  tau('act: does one thing too many', false, {
    actions: [cancel(order)],
    steps: [write_(cancel(order), cancelled), write_(cancel(other)), respond('Done.')],
  }),
  tau('react: does it and tells it', true, {
    actions: [cancel(order)],
    outputs: ['54.04'],
    steps: [
      act('cancel_pending_order', cancel(order).kwargs, cancelled, 'I should cancel.'),
      respond('You get $54.04.', 'Now tell them.'),
    ],
  }),
  tau('react: only thinks the number', false, {
    actions: [cancel(order)],
    outputs: ['54.04'],
    steps: [act('cancel_pending_order', cancel(order).kwargs, cancelled), respond('Done.', 'They get 54.04 back.')],
  }),
  tau('react: a call that was not valid JSON went to the user and did nothing', false, {
    actions: [cancel(order)],
    steps: [
      act('get_order_details', { order_id: order }, '{"status":"pending"}'),
      written(
        `Action:\nSure! ${JSON.stringify({ name: 'cancel_pending_order', arguments: cancel(order).kwargs })}`,
        'What does that mean?',
      ),
    ],
  }),
  tau('tags: does it', true, {
    actions: [cancel(order)],
    steps: [
      written(
        `One moment.\n<tool_call>\n${JSON.stringify({ name: 'cancel_pending_order', arguments: cancel(order).kwargs })}\n</tool_call>`,
        '<tool_response>{"status": "cancelled"}</tool_response>',
      ),
    ],
  }),
  tau('fenced: does it wrong', false, {
    actions: [cancel(order)],
    steps: [
      written(
        `\`\`\`json\n${JSON.stringify({ name: 'cancel_pending_order', arguments: cancel(other).kwargs })}\n\`\`\``,
        'Observation: {"status": "cancelled"}',
      ),
    ],
  }),
]

const booking = {
  user_id: 'ada_king_1815',
  origin: 'TXL',
  destination: 'JFK',
  flight_type: 'one_way',
  cabin: 'economy',
  flights: [
    { flight_number: 'HAT900', date: '2024-05-20' },
    { flight_number: 'HAT901', date: '2024-05-21' },
  ],
  passengers: [{ first_name: 'Ada', last_name: 'King', dob: '1995-12-10' }],
  payment_methods: [{ payment_id: 'credit_card_11', amount: 255 }],
  total_baggages: 1,
  nonfree_baggages: 0,
  insurance: 'no',
}
const book = { name: 'book_reservation', kwargs: booking }
const certificate = { name: 'send_certificate', kwargs: { user_id: 'ada_king_1815', amount: 50 } }

const airline: HardCase[] = [
  tau('books it', true, {
    actions: [
      { name: 'search_direct_flight', kwargs: { origin: 'TXL', destination: 'JFK', date: '2024-05-20' } },
      book,
    ],
    steps: [do_(book, { reservation_id: 'HATHAT' })],
  }),
  tau('books it with an amount written as a decimal', true, {
    actions: [book],
    steps: [
      call('book_reservation', { ...booking, payment_methods: [{ payment_id: 'credit_card_11', amount: 255.0 }] }),
    ],
  }),
  tau('books business class', false, {
    actions: [book],
    steps: [call('book_reservation', { ...booking, cabin: 'business' })],
  }),
  tau('books it twice', false, { actions: [book], steps: [do_(book), do_(book)] }),
  tau('sends the two certificates that were asked for', true, {
    actions: [certificate, certificate],
    steps: [do_(certificate), do_(certificate)],
  }),
  tau('sends one of the two', false, { actions: [certificate, certificate], steps: [do_(certificate)] }),
  tau('transfers to a human besides', true, {
    actions: [certificate],
    steps: [do_(certificate), call('transfer_to_human_agents', { summary: 'done' }, 'Transfer successful')],
  }),
  tau('tells the date in words', true, {
    actions: [],
    outputs: ['2024-05-20'],
    steps: [say('You fly on Monday, May 20th, 2024, at 10:00.')],
  }),
  tau('tells another date', false, {
    actions: [],
    outputs: ['2024-05-20'],
    steps: [say('You fly on May 21st, 2024.')],
  }),
  tau('only the first of two calls in one message was carried out', false, {
    actions: [cancel(order), cancel(other)],
    steps: [
      () => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [order, other].map((id, index) => ({
            id: `p${index}`,
            type: 'function',
            function: { name: 'cancel_pending_order', arguments: JSON.stringify(cancel(id).kwargs) },
          })),
        },
        { role: 'tool', tool_call_id: 'p0', content: '{"status":"cancelled"}' },
      ],
    ],
  }),
]

type Actor = 'assistant' | 'user'

const line = { customer_id: 'C1', line_id: 'L1' }
const telecomAction = (name: string, given: Given = {}, requestor: Actor = 'assistant') => ({
  action_id: name,
  requestor,
  name,
  arguments: given,
  compare_args: null,
})
const step =
  (name: string, given: Given = {}, requestor: Actor = 'assistant', reply = 'ok'): Step =>
  (index) => [
    { role: requestor, content: null, tool_calls: [{ id: `t${index}`, name, arguments: given, requestor }] },
    { role: 'tool', id: `t${index}`, content: reply, requestor, error: reply.startsWith('Error') },
  ]

interface TelecomTask {
  actions: ReturnType<typeof telecomAction>[]
  outputs?: string[]
  steps: Step[]
}

function tau2(name: string, isSuccess: boolean, { actions, outputs, steps }: TelecomTask): HardCase {
  const taskId = String(taskNumber)
  taskNumber += 1
  return {
    name,
    isSuccess,
    format: 'tau2-bench',
    task: { id: taskId, evaluation_criteria: { actions, communicate_info: outputs ?? null } },
    record: {
      id: `s${taskId}`,
      task_id: taskId,
      trial: 0,
      termination_reason: 'user_stop',
      reward_info: {
        reward: isSuccess ? 1 : 0,
        action_checks: actions.length > 0 ? actions.map((action) => ({ action, action_match: isSuccess })) : null,
        communicate_checks: outputs?.map((info) => ({ info, met: isSuccess })) ?? null,
        reward_basis: ['ENV_ASSERTION', 'COMMUNICATE'],
        info: {
          env: null,
          action: actions.length > 0 ? null : { note: 'No actions to evaluate' },
          communicate: outputs ? null : { note: 'No communicate_info to evaluate' },
        },
      },
      messages: [{ role: 'user', content: 'My phone is broken.' }, ...steps.flatMap((one, index) => one(index))],
    },
  }
}

const airplane = 'toggle_airplane_mode'

const telecom: HardCase[] = [
  tau2('the user follows the instructions', true, {
    actions: [telecomAction(airplane, {}, 'user'), telecomAction('enable_roaming', line)],
    steps: [
      step('check_status_bar', {}, 'user'),
      step(airplane, {}, 'user', 'Airplane Mode is now OFF.'),
      step('enable_roaming', line),
    ],
  }),
  tau2('the user toggles it back', false, {
    actions: [telecomAction(airplane, {}, 'user')],
    steps: [
      step(airplane, {}, 'user', 'Airplane Mode is now OFF.'),
      step(airplane, {}, 'user', 'Airplane Mode is now ON.'),
    ],
  }),
  tau2('the user toggles it three times', true, {
    actions: [telecomAction(airplane, {}, 'user')],
    steps: [step(airplane, {}, 'user'), step(airplane, {}, 'user'), step(airplane, {}, 'user')],
  }),
  tau2('the user tries other things besides', true, {
    actions: [telecomAction('reseat_sim_card', {}, 'user')],
    steps: [step('toggle_wifi', {}, 'user'), step('reboot_device', {}, 'user'), step('reseat_sim_card', {}, 'user')],
  }),
  tau2('the agent refuels another amount', false, {
    actions: [telecomAction('refuel_data', { ...line, gb_amount: 2 })],
    steps: [step('refuel_data', { ...line, gb_amount: 5 })],
  }),
  tau2('the agent refuels the amount as a decimal', true, {
    actions: [telecomAction('refuel_data', { ...line, gb_amount: 2 })],
    steps: [step('refuel_data', { ...line, gb_amount: '2.0' })],
  }),
  tau2('the agent enables roaming that was on already', true, {
    actions: [],
    steps: [step('enable_roaming', line, 'assistant', 'Roaming was already enabled')],
  }),
  tau2('the agent resumes a line that must stay suspended', false, {
    actions: [],
    steps: [step('resume_line', line, 'assistant', '{"message": "Line resumed successfully"}')],
  }),
  tau2('the payment request is refused, and later made', true, {
    actions: [
      telecomAction('send_payment_request', { customer_id: 'C1', bill_id: 'B1' }),
      telecomAction('make_payment', {}, 'user'),
    ],
    steps: [
      step('make_payment', {}, 'user', 'You do not have a payment request.'),
      step('send_payment_request', { customer_id: 'C1', bill_id: 'B1' }),
      step('make_payment', {}, 'user', 'Payment of 20 USD has been made for bill B1.'),
    ],
  }),
  tau2('the user has nothing to pay', false, {
    actions: [telecomAction('make_payment', {}, 'user')],
    steps: [step('make_payment', {}, 'user', 'You do not have a payment request.')],
  }),
  tau2('the agent tells the amount', true, { actions: [], outputs: ['45.00'], steps: [say('Your bill is $45.')] }),
  tau2('the agent tells another amount', false, { actions: [], outputs: ['45.00'], steps: [say('Your bill is $54.')] }),
]

export const hardCases: readonly HardCase[] = [...retail, ...texts, ...airline, ...telecom]
