import { invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { object, text, timestamp } from '../../protocol/params.ts'
import type { World } from '../../store/store.ts'
import { requireCustomer, saveCustomer } from '../customer/customer.ts'
import { deleteCustomer } from '../customer/delete-customer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { retrieve } from '../retrieve.ts'
import { runDue } from './due.ts'
import type { TestClockRecord } from './test-clock.record.ts'
import { toWireTestClock } from './test-clock.wire.ts'

const path = '/test_helpers/test_clocks'
const keptSeconds = 30 * 86_400

/** Moves a clock and does everything that falls due on the way; it is ready again when this returns. */
function advanceClock(world: World, id: string, time: number): TestClockRecord {
  const clock = world.of('testClock').get(id)
  if (time <= clock.frozenTime) {
    const message = `The new frozen_time must be after the clock's current frozen_time (${clock.frozenTime}).`
    throw invalid(message, { param: 'frozen_time' })
  }
  const advancing = { ...toWireTestClock(world, clock), status: 'advancing' }
  const details = { advancing: { target_frozen_time: time } }
  world.emit(
    'test_helpers.test_clock.advancing',
    { ...advancing, status_details: details },
    { testClockId: id },
  )
  runDue(world, id, time)
  const moved = world.of('testClock').put({ ...clock, frozenTime: time })
  world.emit('test_helpers.test_clock.ready', toWireTestClock(world, moved), { testClockId: id })
  return moved
}

function deleteClock(world: World, clock: TestClockRecord) {
  const { id } = clock
  for (const customer of world
    .of('customer')
    .list(({ testClockId, deleted }) => testClockId === id && !deleted)) {
    deleteCustomer(world, customer)
  }
  world.emit('test_helpers.test_clock.deleted', toWireTestClock(world, clock), { testClockId: id })
  world.of('testClock').remove(id)
}

/** Puts a customer that is there already on a clock for good, with all that happens to it by time. */
function attachCustomer(world: World, customerId: string, testClockId: string): void {
  const customer = requireCustomer(world, customerId, 'customer')
  if (customer.testClockId !== null) {
    throw invalid(`The customer ${customerId} is attached to a test clock already.`, { param: 'customer' })
  }
  saveCustomer(world, customer, { ...customer, testClockId })
  const [subscriptions, schedules] = [world.of('subscription'), world.of('schedule')]
  const invoices = world.of('invoice')
  for (const one of subscriptions.ofCustomer(customerId)) subscriptions.put({ ...one, testClockId })
  for (const one of schedules.ofCustomer(customerId)) schedules.put({ ...one, testClockId })
  for (const one of invoices.ofCustomer(customerId)) invoices.put({ ...one, testClockId })
}

export const clockEndpoints: Endpoint[] = [
  endpoint(
    'POST',
    path,
    object({ frozen_time: timestamp, name: text.optional(), customer: text.optional() }),
    ({ world, params }) => {
      const clock = world.of('testClock').put({
        id: world.newId('clock'),
        created: world.now(),
        name: params.name ?? null,
        frozenTime: params.frozen_time,
        status: 'ready',
        deletesAfter: world.now() + keptSeconds,
      })
      if (params.customer !== undefined) attachCustomer(world, params.customer, clock.id)
      world.emit('test_helpers.test_clock.created', toWireTestClock(world, clock), { testClockId: clock.id })
      return toWireTestClock(world, clock)
    },
  ),
  endpoint('GET', path, object(pagination), ({ world, params }) =>
    listOf(world.of('testClock').list(), params, `/v1${path}`, (clock) => toWireTestClock(world, clock)),
  ),
  retrieve(path, 'testClock', toWireTestClock),
  endpoint('POST', `${path}/:id/advance`, object({ frozen_time: timestamp }), ({ world, params, id }) =>
    toWireTestClock(world, advanceClock(world, id, params.frozen_time)),
  ),
  endpoint('DELETE', `${path}/:id`, object({}), ({ world, id }) => {
    deleteClock(world, world.of('testClock').get(id))
    return { id, object: 'test_helpers.test_clock', deleted: true }
  }),
]
