import type { InvoiceItemRecord, InvoiceLineRecord, InvoiceRecord } from '../../records/invoice.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { toWireInvoiceItem } from '../../wire/invoice.ts'
import type { World } from '../../world/world.ts'

/** Prorations wait for the next invoice of their subscription. Each is told of as `invoiceitem.created`. */
export function keepProrations(
  world: World,
  { id, customerId, testClockId, metadata }: SubscriptionRecord,
  prorations: readonly InvoiceLineRecord[],
): void {
  for (const line of prorations) {
    const itemId = world.newId('ii')
    const item = world.of('invoiceItem').put({
      id: itemId,
      created: world.now(testClockId),
      metadata,
      customerId,
      subscriptionId: id,
      currency: world.of('price').get(line.priceId ?? '').currency,
      line: { ...line, invoiceItemId: itemId },
      invoiceId: null,
      deleted: false,
    })
    world.emit('invoiceitem.created', toWireInvoiceItem(world, item), { testClockId })
  }
}

/** What the next invoice of a subscription, or of a customer without one, takes up; the oldest first. */
export function waitingItems(
  world: World,
  { customerId, subscriptionId }: Pick<InvoiceRecord, 'customerId' | 'subscriptionId'>,
): InvoiceItemRecord[] {
  return world
    .of('invoiceItem')
    .ofCustomer(
      customerId,
      (item) =>
        item.invoiceId === null &&
        !item.deleted &&
        (item.subscriptionId === null || item.subscriptionId === subscriptionId),
    )
    .reverse()
}
