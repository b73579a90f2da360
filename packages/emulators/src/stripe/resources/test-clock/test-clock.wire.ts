import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type { TestClockRecord } from './test-clock.record.ts'

/** A test clock as Stripe answers it. */
export function toWireTestClock(_world: Store, clock: TestClockRecord): WireObject {
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
