import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type { CustomerRecord } from './customer.record.ts'

/** A customer as Stripe answers it; one that was deleted is only its id. */
export function toWireCustomer(store: Store, customer: CustomerRecord): WireObject {
  if (customer.deleted) return { id: customer.id, object: 'customer', deleted: true }
  const invoices = store.of('invoice').ofCustomer(customer.id)
  return {
    id: customer.id,
    object: 'customer',
    address: null,
    balance: customer.balance,
    created: customer.created,
    currency: invoices[0]?.currency ?? null,
    customer_account: null,
    default_source: null,
    delinquent: invoices.some(({ status, attempted }) => status === 'open' && attempted),
    description: customer.description,
    discount: null,
    email: customer.email,
    invoice_prefix: customer.invoicePrefix,
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: customer.nextInvoiceNumber,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: customer.testClockId,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: customer.defaultPaymentMethodId,
      footer: null,
      rendering_options: null,
    },
  }
}
