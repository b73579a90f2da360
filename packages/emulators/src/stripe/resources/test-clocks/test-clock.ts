import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { object, text, timestamp } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import { requireCustomer, saveCustomer } from '../customers/customer.ts'
import { runDue } from './due.ts'

type TestClockRecord = {
  id: string
  created: number
  name: string | null
  frozenTime: number
  status: 'ready' | 'advancing' | 'internal_failure'
  deletesAfter: number
}

declare module '../../store/store.ts' {
  interface Records {
    testClock: TestClockRecord
  }
}

export function toWireTestClock(_store: Store, clock: TestClockRecord): WireObject {
  return {
    id: clock.id,
    object: 'test_helpers.test_clock',
    created: clock.created,
    deletes_after: clock.deletesAfter,
    frozen_time: clock.frozenTime,
    livemode: false,
    name: clock.name,
    status: clock.status,
    status_details: {},
  }
}

const path = '/test_helpers/test_clocks'
const keptSeconds = 30 * 86_400

/** Advances a clock and runs what is due on the way. */
function advanceClock(store: Store, id: string, time: number): TestClockRecord {
  const clock = store.of('testClock').get(id)
  if (time <= clock.frozenTime) {
    const message = `The new frozen_time must be after the clock's current frozen_time (${clock.frozenTime}).`
    throw invalid(message, { param: 'frozen_time' })
  }
  const advancing = { ...toWireTestClock(store, clock), status: 'advancing' }
  const details = { advancing: { target_frozen_time: time } }
  store.emit(
    'test_helpers.test_clock.advancing',
    { ...advancing, status_details: details },
    { testClockId: id },
  )
  runDue(store, id, time)
  const moved = store.of('testClock').put({ ...clock, frozenTime: time })
  store.emit('test_helpers.test_clock.ready', toWireTestClock(store, moved), { testClockId: id })
  return moved
}

/** Attaches an existing customer and its records to a clock. */
function attachCustomer(store: Store, customerId: string, testClockId: string): void {
  const customer = requireCustomer(store, customerId, 'customer')
  if (customer.testClockId !== null) {
    throw invalid(`The customer ${customerId} is attached to a test clock already.`, { param: 'customer' })
  }
  saveCustomer(store, customer, { ...customer, testClockId })
  const [subscriptions, schedules] = [store.of('subscription'), store.of('schedule')]
  const invoices = store.of('invoice')
  for (const one of subscriptions.ofCustomer(customerId)) subscriptions.put({ ...one, testClockId })
  for (const one of schedules.ofCustomer(customerId)) schedules.put({ ...one, testClockId })
  for (const one of invoices.ofCustomer(customerId)) invoices.put({ ...one, testClockId })
}

export const clockEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({ frozen_time: timestamp, name: text.optional(), customer: text.optional() }),
    ({ store, params }) => {
      const clock = store.of('testClock').put({
        id: store.newId('clock'),
        created: store.now(),
        name: params.name ?? null,
        frozenTime: params.frozen_time,
        status: 'ready',
        deletesAfter: store.now() + keptSeconds,
      })
      if (params.customer !== undefined) attachCustomer(store, params.customer, clock.id)
      store.emit('test_helpers.test_clock.created', toWireTestClock(store, clock), { testClockId: clock.id })
      return toWireTestClock(store, clock)
    },
  ),
  endpoint('GET', path, object(pagination), ({ store, params }) =>
    listOf(store.of('testClock').list(), params, `/v1${path}`, (clock) => toWireTestClock(store, clock)),
  ),
  retrieve(path, 'testClock', toWireTestClock),
  endpoint('POST', `${path}/:id/advance`, object({ frozen_time: timestamp }), ({ store, params, id }) =>
    toWireTestClock(store, advanceClock(store, id, params.frozen_time)),
  ),
]
