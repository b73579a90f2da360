import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'

/** The settings of an account in the dashboard that the API shows. */
export type AccountSettingsRecord = {
  id: 'account'
  /** Whether a card that pays a hosted invoice is kept, when the customer has a default card already. */
  hostedPaymentMethodSave: 'always' | 'never' | 'offer'
  tax: { missingFields: string[]; registeredCountries: string[] }
  webhookEndpoints: WebhookEndpointRecord[]
}

export type WebhookEndpointRecord = {
  url: string
  enabledEvents: string[]
  /** Null for the account's default version. */
  apiVersion: string | null
  status: 'enabled' | 'disabled'
}

declare module '../../store/store.ts' {
  interface Records {
    accountSettings: AccountSettingsRecord
  }
}

const defaults: AccountSettingsRecord = {
  id: 'account',
  hostedPaymentMethodSave: 'always',
  tax: { missingFields: ['head_office'], registeredCountries: [] },
  webhookEndpoints: [],
}

export function accountSettings(store: Store): AccountSettingsRecord {
  return store.of('accountSettings').find('account') ?? defaults
}

type Change = { [Name in keyof Omit<AccountSettingsRecord, 'id'>]?: AccountSettingsRecord[Name] | undefined }

/** Changes what the dashboard sets. Events are still sent to the emulator's own target only. */
export function changeAccountSettings(store: Store, change: Change): AccountSettingsRecord {
  const before = accountSettings(store)
  return store.of('accountSettings').put({
    ...before,
    hostedPaymentMethodSave: change.hostedPaymentMethodSave ?? before.hostedPaymentMethodSave,
    tax: change.tax ?? before.tax,
    webhookEndpoints: change.webhookEndpoints ?? before.webhookEndpoints,
  })
}

/** https://docs.stripe.com/api/accounts/object, as the account's own secret key reads it. */
export function toWireAccount(store: Store): WireObject {
  const { hostedPaymentMethodSave } = accountSettings(store)
  return {
    id: store.accountId,
    object: 'account',
    country: 'US',
    default_currency: 'usd',
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
    metadata: {},
    settings: {
      invoices: { default_account_tax_ids: null, hosted_payment_method_save: hostedPaymentMethodSave },
    },
    type: 'standard',
  }
}

/** https://docs.stripe.com/api/tax/settings/object */
export function toWireTaxSettings(store: Store): WireObject {
  const { missingFields } = accountSettings(store).tax
  const isActive = missingFields.length === 0
  return {
    object: 'tax.settings',
    defaults: { provider: 'stripe', tax_behavior: null, tax_code: 'txcd_10000000' },
    head_office: null,
    livemode: false,
    status: isActive ? 'active' : 'pending',
    status_details: isActive ? { active: {} } : { pending: { missing_fields: missingFields } },
  }
}

/** https://docs.stripe.com/api/tax/registrations/object */
export function taxRegistrations(store: Store) {
  return accountSettings(store).tax.registeredCountries.map((country) => ({
    id: `taxreg_${country}`,
    object: 'tax.registration',
    active_from: 0,
    country,
    country_options: {},
    created: 0,
    expires_at: null,
    livemode: false,
    status: 'active',
  }))
}

/** https://docs.stripe.com/api/webhook_endpoints/object. Only the response to its creation has the secret. */
export function webhookEndpoints(store: Store) {
  return accountSettings(store).webhookEndpoints.map(({ url, enabledEvents, apiVersion, status }, index) => ({
    id: `we_${index + 1}`,
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: 0,
    description: null,
    enabled_events: enabledEvents,
    livemode: false,
    metadata: {},
    status,
    url,
  }))
}
