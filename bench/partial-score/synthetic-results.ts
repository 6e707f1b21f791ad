import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** Records like tau-bench's: about 20 kB each, mostly conversation with JSON inside JSON strings. */
export function makeRecord(index: number): string {
  const reservation = `R${String(index % 1000).padStart(5, '0')}`
  const details = JSON.stringify({
    reservation_id: reservation,
    flights: Array.from({ length: 4 }, (_, leg) => ({
      flight_number: `HAT${100 + leg}`,
      date: '2024-05-20',
      price: 100.5 + leg,
    })),
    passengers: [{ first_name: 'Mia', last_name: 'Lí “Li”', dob: '1990-04-05' }],
  })
  const exchange = (turn: number, name: string, args: unknown, reply: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `call_${index}_${turn}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ],
    },
    { role: 'tool', tool_call_id: `call_${index}_${turn}`, name, content: reply },
    {
      role: 'assistant',
      content: `Here is what I found for ${reservation}.\n\n1. **Leg ${turn}** – economy, “flexible”.\n`.repeat(3),
    },
    {
      role: 'user',
      content: 'Thank you. Please continue with the next step, and use my saved card if you can. '.repeat(2),
    },
  ]
  const flights = [{ flight_number: 'HAT100', date: '2024-05-20' }]
  const update = { reservation_id: reservation, cabin: 'economy', flights, payment_id: 'credit_card_1' }
  const record = {
    task_id: index % 50,
    reward: index % 3 === 0 ? 1 : 0,
    info: {
      task: {
        user_id: 'mia_li_3668',
        actions: [
          { name: 'get_reservation_details', kwargs: { reservation_id: reservation } },
          { name: 'update_reservation_flights', kwargs: update },
        ],
        outputs: [],
      },
    },
    traj: [
      { role: 'system', content: '# Airline policy\n\nThe current time is 2024-05-15 15:00:00 EST.\n'.repeat(60) },
      ...Array.from({ length: 8 }, (_, turn) =>
        exchange(turn, 'get_reservation_details', { reservation_id: reservation }, details),
      ).flat(),
      ...exchange(
        8,
        'update_reservation_flights',
        { ...update, payment_id: index % 3 === 0 ? 'credit_card_1' : 'gift_card_2' },
        details,
      ),
    ],
    trial: Math.floor(index / 50),
  }
  return JSON.stringify(record, null, 2)
}

/** Writes a list of records of about `size` bytes; returns its exact size and the offsets of each record. */
export async function writeResults(path: string, size: number): Promise<{ bytes: number; places: number[] }> {
  const stream = createWriteStream(path)
  const places: number[] = []
  let bytes = 1
  stream.write('[')
  for (let index = 0; bytes < size; index += 1) {
    const lead = index > 0 ? ',\n' : '\n'
    const text = makeRecord(index)
    bytes += lead.length
    places.push(bytes)
    bytes += Buffer.byteLength(text)
    places.push(bytes)
    if (!stream.write(lead + text)) await once(stream, 'drain')
  }
  stream.end('\n]\n')
  await once(stream, 'finish')
  return { bytes: bytes + 3, places }
}
